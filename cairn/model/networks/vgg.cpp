#include <fmt/format.h>

#include <array>

#include "cairn/model/networks/networks.hpp"

namespace cairn::model {

const Schema<Vgg>& schema_of(const Vgg*) {
  static const auto kSchema =
      Schema<Vgg>("vgg", "image recognition, VGG-E with 19 layers (Simonyan and Zisserman 2015)")
          .optional("stages", &Vgg::stages, "convolutions before each of the five pools")
          .at_least(1);
  return kSchema;
}

Value vgg_features(Net& net, Value x, const std::vector<std::uint32_t>& stages) {
  constexpr std::array<double, 5> kChannels{64, 128, 256, 512, 512};
  if (stages.size() != kChannels.size()) {
    throw ShapeError(fmt::format("{} stages (expected 5)", stages.size()));
  }
  for (std::size_t s = 0; s < stages.size(); ++s) {
    for (std::uint32_t i = 0; i < stages[s]; ++i) {
      const std::string name = fmt::format("conv{}_{}", s + 1, i + 1);
      x = net.convolution(name, x, {.channels = kChannels[s], .kernel = 3, .pad = 1});
      x = net.activation(name + ".relu", x);
    }
    x = net.pool(fmt::format("pool{}", s + 1), x, {});
  }
  return x;
}

Graph build(const Vgg& network, double batch, const NetOptions& options) {
  Net net("vgg", batch, options);
  Value x = vgg_features(
      net,
      net.input("image", {.samples = batch, .channels = 3, .height = 224, .width = 224}),
      network.stages);
  x = net.activation("fc6.relu", net.fully_connected("fc6", x, 4096));
  x = net.activation("fc7.relu", net.fully_connected("fc7", x, 4096));
  net.softmax("softmax", net.fully_connected("fc8", x, 1000));
  return std::move(net).take();
}

}  // namespace cairn::model
