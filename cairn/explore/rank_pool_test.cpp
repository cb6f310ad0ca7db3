#include "cairn/explore/rank_pool.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <mutex>
#include <thread>

#include "cairn/explore/explore.hpp"
#include "cairn/explore/rank_message.hpp"

namespace cairn::explore {
namespace {

// Ranks simulated by threads of the test.
class Mail {
 public:
  explicit Mail(int ranks) : boxes_(static_cast<std::size_t>(ranks)) {}

  void put(int to, Ranks::Message message) {
    const std::lock_guard lock(mutex_);
    boxes_[static_cast<std::size_t>(to)].push_back(std::move(message));
  }

  std::optional<Ranks::Message> get(int of) {
    const std::lock_guard lock(mutex_);
    auto& box = boxes_[static_cast<std::size_t>(of)];
    if (box.empty()) {
      return std::nullopt;
    }
    Ranks::Message message = std::move(box.front());
    box.pop_front();
    return message;
  }

  [[nodiscard]] int ranks() const { return static_cast<int>(boxes_.size()); }

 private:
  std::mutex mutex_{};
  std::vector<std::deque<Ranks::Message>> boxes_;
};

class ThreadRanks final : public Ranks {
 public:
  ThreadRanks(Mail& mail, int rank) : mail_(mail), rank_(rank) {}

  [[nodiscard]] int rank() const override { return rank_; }

  [[nodiscard]] int size() const override { return mail_.ranks(); }

  void send(int to, std::string bytes) override { mail_.put(to, {rank_, std::move(bytes)}); }

  std::optional<Message> receive() override { return mail_.get(rank_); }

 private:
  Mail& mail_;
  int rank_;
};

const DataFolders& folders() {
  static const DataFolders kFolders = DataFolders::in({CAIRN_DATA_FOLDER});
  return kFolders;
}

Request request() {
  return read_request(
      parse_config("design: {model: alexnet, device: mc-dla, platform: mc-dla-ring}\n"
                   "vary: {strategy.batch: {from: 8, to: 4096, whole: true}}\n"
                   "algorithm: {method: random, trials: 60}\n",
                   "search.yaml"),
      folders(),
      {});
}

// Another rank, as a thread that evaluates until the search ends.
std::thread helper(Mail& mail, int rank, const Request& what) {
  return std::thread([&mail, rank, &what] {
    ThreadRanks ranks(mail, rank);
    Evaluator evaluator(what, folders());
    ThreadPool own(evaluator, 1);
    serve(ranks, "it", own);
  });
}

TEST(RankPool, FindsTheSameAsOneProcess) {
  const Request what = request();
  const Exploration alone = explore(what, folders(), {.threads = 1});
  for (const int count : {2, 4}) {
    Mail mail(count);
    std::vector<std::thread> others;
    for (int rank = 1; rank < count; ++rank) {
      others.push_back(helper(mail, rank, what));
    }
    ThreadRanks ranks(mail, 0);
    Exploration together;
    {
      RankLeader leader(ranks);
      leader.gather("it");

      together = explore(what, folders(), {.threads = 1, .ranks = &ranks});
    }
    for (std::thread& other : others) {
      other.join();
    }
    ASSERT_EQ(together.trials.size(), alone.trials.size());
    for (std::size_t i = 0; i < alone.trials.size(); ++i) {
      EXPECT_EQ(together.trials[i].point, alone.trials[i].point);
      EXPECT_EQ(together.trials[i].finding.figures, alone.trials[i].finding.figures);
      EXPECT_EQ(together.trials[i].finding.reason.detail, alone.trials[i].finding.reason.detail);
    }
    EXPECT_EQ(together.front, alone.front);
  }
}

// Results of one batch must not wait for each other: finished ones are to be stored.
TEST(RankPool, SendsEachResultAsItFinishes) {
  const Request what = request();
  Mail mail(2);
  std::thread other = helper(mail, 1, what);
  ThreadRanks ranks(mail, 0);
  RankMessage work{.kind = MessageKind::kWork};
  constexpr std::size_t kCount = 40;
  for (std::size_t i = 0; i < kCount; ++i) {
    work.work.push_back({i, {static_cast<double>(8 + 8 * i)}});
  }
  std::size_t messages = 0;
  std::vector<bool> came(kCount, false);
  {
    RankLeader leader(ranks);
    leader.gather("it");

    ranks.send(1, to_bytes(work));
    for (std::size_t results = 0; results < kCount;) {
      if (const auto received = ranks.receive()) {
        ++messages;
        for (const WorkResult& result : message_of(received->bytes).results) {
          came[result.index] = true;
          ++results;
        }
      }
    }
  }
  other.join();

  // A design takes about 1 ms, the polling interval is 0.05 ms: rarely two results in a message.
  EXPECT_GT(messages, kCount / 4);
  EXPECT_EQ(came, std::vector<bool>(kCount, true));
}

// Of a million queued designs hardly any is evaluated when rank 0 ends the search.
TEST(RankPool, WorkersCancelQueuedDesignsAtTheEnd) {
  const Request what = request();
  Mail mail(2);
  ThreadRanks ranks(mail, 0);
  RankMessage work{.kind = MessageKind::kWork};
  constexpr std::size_t kCount = 1'000'000;
  for (std::size_t i = 0; i < kCount; ++i) {
    work.work.push_back({i, {static_cast<double>(8 + i % 4000)}});
  }
  std::thread other = helper(mail, 1, what);
  ranks.send(1, to_bytes(work));
  ranks.send(1, to_bytes({.kind = MessageKind::kEnd}));
  std::size_t results = 0;
  for (MessageKind kind = MessageKind::kReady; kind != MessageKind::kGoodbye;) {
    if (const auto received = ranks.receive()) {
      const RankMessage message = message_of(received->bytes);
      kind = message.kind;
      results += message.results.size();
    }
  }
  other.join();

  EXPECT_LT(results, kCount / 100);
}

// As a store on a full disk does: the first failure is reported.
TEST(RankPool, ReportsTheFirstFailureAndNoFurtherResults) {
  const Request what = request();
  Mail mail(3);
  std::vector<std::thread> others;
  for (int rank = 1; rank < mail.ranks(); ++rank) {
    others.push_back(helper(mail, rank, what));
  }
  ThreadRanks ranks(mail, 0);
  int handed_over = 0;
  std::string message;
  {
    RankLeader leader(ranks);
    leader.gather("it");
    try {
      explore(what, folders(), {.threads = 1, .ranks = &ranks, .on_done = [&](const DesignTrial&) {
                                  if (++handed_over >= 5) {
                                    throw ConfigError({}, "failure " + std::to_string(handed_over));
                                  }
                                }});
    } catch (const ConfigError& error) {
      message = error.what();
    }
  }
  for (std::thread& other : others) {
    other.join();
  }

  EXPECT_NE(message.find("failure 5"), std::string::npos) << message;
  EXPECT_EQ(handed_over, 5);
}

TEST(RankPool, NamesTheRankThatReadAnotherSearch) {
  for (const bool refuses : {true, false}) {
    Mail mail(2);
    std::thread other([&] {
      ThreadRanks ranks(mail, 1);
      if (refuses) {
        reject_worker(ranks, "search.yaml: no such file");
        return;
      }
      const Request what = request();
      Evaluator evaluator(what, folders());
      ThreadPool own(evaluator, 1);
      serve(ranks, "something else", own);
    });
    ThreadRanks ranks(mail, 0);
    std::string message;
    try {
      RankLeader leader(ranks);
      leader.gather("it");
    } catch (const ConfigError& error) {
      message = error.what();
    }
    other.join();
    EXPECT_NE(message.find("rank 1"), std::string::npos) << message;
    EXPECT_NE(message.find(refuses ? "no such file" : "another search"), std::string::npos);
  }
}

TEST(RankMessage, SurvivesARoundTrip) {
  RankMessage sent{.kind = MessageKind::kResult, .text = std::string("a\0b", 3)};
  sent.work.push_back({7, {1.0 / 3.0, -0.0}});
  sent.results.push_back({9,
                          {.figures = {5e-324},
                           .bound = {explain::BoundKind::kLink, "x", "y"},
                           .reason = {Lack::kBatch, "", 0.25}}});

  const RankMessage received = message_of(to_bytes(sent));

  EXPECT_EQ(received.kind, sent.kind);
  EXPECT_EQ(received.text, sent.text);
  ASSERT_EQ(received.work.size(), 1U);
  EXPECT_EQ(received.work[0].index, 7U);
  EXPECT_EQ(received.work[0].point, sent.work[0].point);
  ASSERT_EQ(received.results.size(), 1U);
  EXPECT_EQ(received.results[0].finding.figures, sent.results[0].finding.figures);
  EXPECT_EQ(received.results[0].finding.bound,
            (explain::Bound{explain::BoundKind::kLink, "x", "y"}));
  EXPECT_EQ(received.results[0].finding.reason.lack, Lack::kBatch);
  EXPECT_EQ(received.results[0].finding.reason.constraint_violation, 0.25);
  EXPECT_THROW(message_of(to_bytes(sent).substr(0, 20)), Bug);
}

}  // namespace
}  // namespace cairn::explore
