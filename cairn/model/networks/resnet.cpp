#include <fmt/format.h>

#include <array>
#include <utility>

#include "cairn/model/networks/networks.hpp"

namespace cairn::model {

namespace {

constexpr std::array<double, 4> kWidth{64, 128, 256, 512};
constexpr double kExpansion = 4.0;  // of a bottleneck block's output over its width

class Builder {
 public:
  Builder(ResNet network, double batch, const NetOptions& options)
      : network_(std::move(network)), net_("resnet", batch, options) {}

  Graph build() {
    if (network_.blocks.size() != kWidth.size()) {
      throw ShapeError(fmt::format("{} stages of blocks (expected 4)", network_.blocks.size()));
    }
    Value x =
        net_.input("image", {.samples = net_.batch(), .channels = 3, .height = 224, .width = 224});
    x = relu("conv1", conv("conv1", x, {.channels = 64, .kernel = 7, .stride = 2, .pad = 3}));
    x = net_.pool("pool1", x, {.kernel = 3, .stride = 2, .pad = 1});
    for (std::size_t stage = 0; stage < kWidth.size(); ++stage) {
      for (std::uint32_t b = 0; b < network_.blocks[stage]; ++b) {
        const std::uint32_t stride = stage > 0 && b == 0 ? 2 : 1;
        x = block(fmt::format("conv{}_{}", stage + 2, b + 1), x, kWidth[stage], stride);
      }
    }
    x = net_.global_average("average", x);
    net_.softmax("softmax", net_.fully_connected("fc", x, 1000));
    return std::move(net_).take();
  }

 private:
  Value conv(const std::string& name, const Value& x, const Convolution& layer) {
    return net_.normalization(name + ".norm", net_.convolution(name, x, layer), network_.affine);
  }

  Value relu(const std::string& name, const Value& x) { return net_.activation(name + ".relu", x); }

  Value block(const std::string& name, const Value& x, double width, std::uint32_t stride) {
    Value y;
    if (network_.bottleneck) {
      y = relu(name + "a", conv(name + "a", x, {.channels = width}));
      y = relu(name + "b",
               conv(name + "b", y, {.channels = width, .kernel = 3, .stride = stride, .pad = 1}));
      y = conv(name + "c", y, {.channels = width * kExpansion});
    } else {
      y = relu(name + "a",
               conv(name + "a", x, {.channels = width, .kernel = 3, .stride = stride, .pad = 1}));
      y = conv(name + "b", y, {.channels = width, .kernel = 3, .pad = 1});
    }
    return relu(name, net_.add(name, y, shortcut(name, x, y.shape.channels, stride)));
  }

  Value shortcut(const std::string& name, const Value& x, double channels, std::uint32_t stride) {
    if (x.shape.channels == channels && stride == 1) {
      return x;
    }
    if (network_.projections) {
      return conv(name + ".project", x, {.channels = channels, .stride = stride});
    }
    return net_.subsample(name + ".shortcut", x, stride, channels);
  }

  ResNet network_;
  Net net_;
};

}  // namespace

const Schema<ResNet>& schema_of(const ResNet*) {
  static const auto kSchema =
      Schema<ResNet>("resnet", "image recognition, 34 layers by default (He et al. 2016)")
          .optional("blocks", &ResNet::blocks, "residual blocks in each of the four stages")
          .at_least(1)
          .optional("bottleneck", &ResNet::bottleneck, "blocks of three convolutions (ResNet-50)")
          .optional(
              "projections",
              &ResNet::projections,
              "residual connections that change shape are 1x1 convolutions; else they have no "
              "weights")
          .optional("affine", &ResNet::affine, "normalizations have a scale and a shift");
  return kSchema;
}

Graph build(const ResNet& network, double batch, const NetOptions& options) {
  return Builder(network, batch, options).build();
}

}  // namespace cairn::model
