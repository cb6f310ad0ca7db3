#include "cairn/explore/rank_message.hpp"

#include <cstring>
#include <type_traits>

#include "cairn/base/failure.hpp"

namespace cairn::explore {

namespace {

class Writer {
 public:
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void add(const T& value) {
    const std::size_t before = bytes.size();
    bytes.resize(before + sizeof value);
    std::memcpy(bytes.data() + before, &value, sizeof value);
  }

  void add(const std::string& text) {
    add(std::uint64_t{text.size()});
    bytes += text;
  }

  void add(const std::vector<double>& numbers) {
    add(std::uint64_t{numbers.size()});
    for (const double number : numbers) {
      add(number);
    }
  }

  std::string bytes{};
};

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}

  template <class T>
    requires std::is_trivially_copyable_v<T>
  void get(T& value) {
    ensure(bytes_.size() - at_ >= sizeof value, "a truncated message between ranks");
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
  }

  void get(std::string& text) {
    const std::size_t size = count(1);
    text = bytes_.substr(at_, size);
    at_ += size;
  }

  void get(std::vector<double>& numbers) {
    numbers.resize(count(sizeof(double)));
    for (double& number : numbers) {
      get(number);
    }
  }

  // Number of items that follow, each of at least this many bytes.
  std::size_t count(std::size_t bytes_each) {
    std::uint64_t number = 0;
    get(number);
    ensure(number <= (bytes_.size() - at_) / bytes_each, "a truncated message between ranks");
    return number;
  }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

}  // namespace

std::string to_bytes(const RankMessage& message) {
  Writer out;
  out.add(message.kind);
  out.add(message.text);
  out.add(std::uint64_t{message.work.size()});
  for (const Work& work : message.work) {
    out.add(work.index);
    out.add(work.point);
  }
  out.add(std::uint64_t{message.results.size()});
  for (const WorkResult& result : message.results) {
    out.add(result.index);
    out.add(result.finding.figures);
    out.add(result.finding.bound.kind);
    out.add(result.finding.bound.text);
    out.add(result.finding.bound.resource);
    out.add(result.finding.reason.lack);
    out.add(result.finding.reason.part);
    out.add(result.finding.reason.detail);
    out.add(result.finding.reason.constraint_violation);
  }
  return std::move(out.bytes);
}

RankMessage message_of(const std::string& bytes) {
  Reader in(bytes);
  RankMessage message;
  in.get(message.kind);
  in.get(message.text);
  message.work.resize(in.count(sizeof(std::uint64_t)));
  for (Work& work : message.work) {
    in.get(work.index);
    in.get(work.point);
  }
  message.results.resize(in.count(sizeof(std::uint64_t)));
  for (WorkResult& result : message.results) {
    in.get(result.index);
    in.get(result.finding.figures);
    in.get(result.finding.bound.kind);
    in.get(result.finding.bound.text);
    in.get(result.finding.bound.resource);
    in.get(result.finding.reason.lack);
    in.get(result.finding.reason.part);
    in.get(result.finding.reason.detail);
    in.get(result.finding.reason.constraint_violation);
  }
  return message;
}

}  // namespace cairn::explore
