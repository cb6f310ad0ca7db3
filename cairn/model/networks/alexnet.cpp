#include "cairn/model/networks/networks.hpp"

namespace cairn::model {

const Schema<AlexNet>& schema_of(const AlexNet*) {
  static const auto kSchema =
      Schema<AlexNet>("alexnet", "image recognition, 8 layers (Krizhevsky et al. 2012)")
          .optional("grouped", &AlexNet::grouped, "convolutions 2, 4 and 5 in two groups");
  return kSchema;
}

Graph build(const AlexNet& network, double batch, const NetOptions& options) {
  const std::uint32_t halves = network.grouped ? 2 : 1;
  const Pool pool{.kernel = 3, .stride = 2};
  Net net("alexnet", batch, options);
  Value x = net.input("image", {.samples = batch, .channels = 3, .height = 227, .width = 227});
  const auto conv = [&](const char* name, const Convolution& layer) {
    x = net.activation(std::string(name) + ".relu", net.convolution(name, x, layer));
  };
  conv("conv1", {.channels = 96, .kernel = 11, .stride = 4});
  x = net.pool("pool1", x, pool);
  conv("conv2", {.channels = 256, .kernel = 5, .pad = 2, .groups = halves});
  x = net.pool("pool2", x, pool);
  conv("conv3", {.channels = 384, .kernel = 3, .pad = 1});
  conv("conv4", {.channels = 384, .kernel = 3, .pad = 1, .groups = halves});
  conv("conv5", {.channels = 256, .kernel = 3, .pad = 1, .groups = halves});
  x = net.pool("pool5", x, pool);
  x = net.activation("fc6.relu", net.fully_connected("fc6", x, 4096));
  x = net.activation("fc7.relu", net.fully_connected("fc7", x, 4096));
  net.softmax("softmax", net.fully_connected("fc8", x, 1000));
  return std::move(net).take();
}

}  // namespace cairn::model
