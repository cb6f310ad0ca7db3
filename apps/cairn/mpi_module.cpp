// The module libcairn_mpi: messages between ranks by MPI.
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <list>
#include <memory>
#include <utility>

#include "cairn/explore/ranks.hpp"

namespace cairn::app {

namespace {

constexpr int kTag = 0;

// A failure of MPI itself ends all ranks with its own message (MPI_ERRORS_ARE_FATAL).
class MpiRanks final : public explore::Ranks {
 public:
  MpiRanks() {
    int granted = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &granted);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }

  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  ~MpiRanks() override {
    for (Sending& sending : sendings_) {
      MPI_Wait(&sending.request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
  }

  [[nodiscard]] int rank() const override { return rank_; }

  [[nodiscard]] int size() const override { return size_; }

  // Non-blocking: two ranks that send to each other must not deadlock.
  void send(int to, std::string bytes) override {
    Sending& sending = sendings_.emplace_back();
    sending.bytes = std::move(bytes);
    MPI_Isend(sending.bytes.data(),
              static_cast<int>(sending.bytes.size()),
              MPI_BYTE,
              to,
              kTag,
              MPI_COMM_WORLD,
              &sending.request);
  }

  std::optional<Message> receive() override {
    release_completed_sends();
    int is_there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &is_there, &status);
    if (is_there == 0) {
      return std::nullopt;
    }
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    Message message{.from = status.MPI_SOURCE,
                    .bytes = std::string(static_cast<std::size_t>(size), '\0')};
    MPI_Recv(message.bytes.data(),
             size,
             MPI_BYTE,
             status.MPI_SOURCE,
             kTag,
             MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return message;
  }

 private:
  struct Sending {
    std::string bytes{};
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void release_completed_sends() {
    std::erase_if(sendings_, [](Sending& sending) {
      int sent = 0;
      MPI_Test(&sending.request, &sent, MPI_STATUS_IGNORE);
      return sent != 0;
    });
  }

  int rank_ = 0;
  int size_ = 1;
  std::list<Sending> sendings_{};
};

}  // namespace

}  // namespace cairn::app

extern "C" [[gnu::visibility("default")]] void cairn_mpi_ranks(
    std::unique_ptr<cairn::explore::Ranks>& ranks) {
  ranks = std::make_unique<cairn::app::MpiRanks>();
}
