// A backward pass whose stored intermediates do not fit into the device.
//
//         f1       f2       f3           fn            x_k = f_k(x_(k-1)) = sin(x_(k-1) + k / 10)
//   x0 -----> x1 -----> x2 -----> ... -----> xn
//   | offload |         |        LocalToRemote
//   [r0]      [r1]      [r2]     memory-nodes: n tensors; the device has room for three
//   | fetch   |         |        RemoteToLocal
//   g0 <----- g1 <----- g2 <----- ... <----- gn = 1    g_(k-1) = f_k'(x_(k-1)) g_k
//
// While f_k is computed its input leaves; on the way back, the input that is needed next arrives.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "cairn/remote/cairn_remote_cuda.h"

namespace {

constexpr std::size_t kLayers = 12;
constexpr std::size_t kCount = 1 << 20;
constexpr std::size_t kSize = kCount * sizeof(double);  // 8 MiB, four pages
constexpr double kComputeSeconds = 80e-6;               // for one f, forward or backward

void check(cudaError_t error) {
  if (error != cudaSuccess) {
    throw std::runtime_error(cudaGetErrorString(error));
  }
}

void* allocate(cudaError_t (*malloc)(void**, std::size_t)) {
  void* pointer = nullptr;
  check(malloc(&pointer, kSize));
  return pointer;
}

std::span<double> seen(void* device) {
  void* pointer = nullptr;
  check(cairnMap(device, kSize, &pointer));
  return {static_cast<double*>(pointer), kCount};
}

void start(std::span<double> x, std::span<double> g) {
  std::iota(x.begin(), x.end(), 0.0);
  std::ranges::fill(g, 1.0);
}

void forward(std::size_t k, std::span<const double> x, std::span<double> y) {
  for (std::size_t i = 0; i < kCount; ++i) {
    y[i] = std::sin(x[i] + 0.1 * static_cast<double>(k));
  }
}

void backward(std::size_t k, std::span<const double> x, std::span<double> g) {
  for (std::size_t i = 0; i < kCount; ++i) {
    g[i] *= std::cos(x[i] + 0.1 * static_cast<double>(k));
  }
}

// The gradient with all intermediates in one memory.
std::vector<double> reference() {
  std::vector<std::vector<double>> x(kLayers + 1, std::vector<double>(kCount));
  std::vector<double> g(kCount);
  start(x[0], g);
  for (std::size_t k = 1; k <= kLayers; ++k) {
    forward(k, x[k - 1], x[k]);
  }
  for (std::size_t k = kLayers; k >= 1; --k) {
    backward(k, x[k - 1], g);
  }
  return g;
}

// The same on a device with room for two x and the gradient; returns the simulated time.
double over_memory_nodes(cairn_placement placement, const std::vector<double>& expected) {
  cairn_options options = cairn_default_options();
  options.platform = "mc_dla_ring:8x3@25GB/s,500ns";
  options.placement = placement;
  options.local_capacity = 3 * kSize;
  cairn_context* context = nullptr;
  check(cairn_context_create(&options, &context, nullptr, 0));
  cairnSetContext(context);
  const std::array x{allocate(cudaMalloc), allocate(cudaMalloc)};  // x_k is in x[k % 2]
  void* g = allocate(cudaMalloc);
  std::array<void*, kLayers> stored{};
  for (void*& remote : stored) {
    remote = allocate(cudaMallocRemote);
  }

  start(seen(x[0]), seen(g));
  for (std::size_t k = 1; k <= kLayers; ++k) {
    void* input = x[(k - 1) % 2];
    check(cudaMemcpyAsync(stored[k - 1], input, kSize, cudaMemcpyLocalToRemote, 0));
    forward(k, seen(input), seen(x[k % 2]));
    check(cairn_advance(context, kComputeSeconds));
    check(cudaDeviceSynchronize());  // x_(k+1) is written where x_(k-1) was
  }
  const auto fetch = [&](std::size_t k) {
    check(cudaMemcpyAsync(x[k % 2], stored[k], kSize, cudaMemcpyRemoteToLocal, 0));
  };
  fetch(kLayers - 1);
  for (std::size_t k = kLayers; k >= 1; --k) {
    check(cudaDeviceSynchronize());
    if (k >= 2) {
      fetch(k - 2);
    }
    backward(k, seen(x[(k - 1) % 2]), seen(g));
    check(cairn_advance(context, kComputeSeconds));
  }

  double elapsed = 0.0;
  check(cairn_elapsed(context, &elapsed));
  if (!std::ranges::equal(seen(g), expected)) {
    throw std::runtime_error("the gradient is wrong");
  }
  check(cairn_context_destroy(context));
  return elapsed;
}

}  // namespace

int main() try {
  const std::vector<double> expected = reference();
  std::printf("computing alone  %.3f ms\n", 2e3 * kLayers * kComputeSeconds);
  std::printf("LOCAL            %.3f ms\n",
              1e3 * over_memory_nodes(CAIRN_PLACEMENT_LOCAL, expected));
  std::printf("BW_AWARE         %.3f ms\n",
              1e3 * over_memory_nodes(CAIRN_PLACEMENT_BW_AWARE, expected));
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
