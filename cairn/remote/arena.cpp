#include "cairn/remote/arena.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cairn/remote/error.hpp"

namespace cairn::remote {

namespace {

int open_sparse_file(std::uint64_t size) {
  const int file = memfd_create("cairn-remote", MFD_CLOEXEC);
  require(file >= 0, CAIRN_ERROR_HOST_MEMORY);
  if (ftruncate(file, static_cast<off_t>(size)) != 0) {
    close(file);
    throw Error(CAIRN_ERROR_HOST_MEMORY);
  }
  return file;
}

// Reserves host addresses without backing.
HostView reserve(std::uint64_t size) {
  void* begin = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  require(begin != MAP_FAILED, CAIRN_ERROR_HOST_MEMORY);
  return {static_cast<std::byte*>(begin), size};
}

// Maps part of the file at reserved addresses.
void map_file(int file, std::uint64_t offset, std::uint64_t size, std::byte* at) {
  const void* mapped = mmap(at,
                            size,
                            PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_FIXED | MAP_NORESERVE,
                            file,
                            static_cast<off_t>(offset));
  require(mapped != MAP_FAILED, CAIRN_ERROR_HOST_MEMORY);
}

}  // namespace

HostView::~HostView() {
  if (begin_ != nullptr) {
    munmap(begin_, size_);
  }
}

Arena::Arena(std::uint64_t frames, std::uint64_t page_size)
    : page_size_(page_size), whole_(reserve(frames * page_size)) {
  const std::uint64_t size = frames * page_size;
  file_ = open_sparse_file(size);
  try {
    map_file(file_, 0, size, whole_.begin());
  } catch (...) {
    close(file_);
    throw;
  }
}

Arena::~Arena() {
  close(file_);
}

HostView Arena::view(std::span<const std::uint64_t> frames) const {
  HostView view = reserve(frames.size() * page_size_);
  for (std::size_t i = 0; i < frames.size();) {
    std::size_t run = 1;
    while (i + run < frames.size() && frames[i + run] == frames[i] + run) {
      ++run;
    }
    map_file(file_, frames[i] * page_size_, run * page_size_, view.begin() + i * page_size_);
    i += run;
  }
  return view;
}

void Arena::clear(PageRange frames) {
  require(fallocate(file_,
                    FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                    static_cast<off_t>(frames.first * page_size_),
                    static_cast<off_t>(frames.count * page_size_)) == 0,
          CAIRN_ERROR_HOST_MEMORY);
}

}  // namespace cairn::remote
