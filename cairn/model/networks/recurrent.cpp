#include <fmt/format.h>

#include <algorithm>

#include "cairn/model/networks/networks.hpp"

namespace cairn::model {

const Schema<RecurrentNet>& schema_of(const RecurrentNet*) {
  static const auto kSchema =
      Schema<RecurrentNet>("recurrent", "recurrent layers, as in DeepBench")
          .optional("cell", &RecurrentNet::cell, "cell type")
          .optional("hidden", &RecurrentNet::hidden, "hidden size, also of the input")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("steps", &RecurrentNet::steps, "time steps")
          .at_least(1)
          .optional("layers", &RecurrentNet::layers, "stacked layers")
          .at_least(1)
          .optional("weighed",
                    &RecurrentNet::weighed,
                    "each output times an external number, in place of a loss");
  return kSchema;
}

Graph build(const RecurrentNet& network, double batch, const NetOptions& options) {
  Net net("recurrent", batch, options);
  Value x = net.input_from_below(
      "x",
      {.samples = batch, .steps = static_cast<double>(network.steps), .channels = network.hidden});
  for (std::uint32_t layer = 0; layer < network.layers; ++layer) {
    x = net.recurrent(
        fmt::format("{}{}", enum_name(network.cell), layer), x, network.cell, network.hidden);
  }
  if (network.weighed) {
    net.weighted_loss("loss", x);
  }
  return std::move(net).take();
}

const Schema<VideoNet>& schema_of(const VideoNet*) {
  static const auto kSchema =
      Schema<VideoNet>("video", "video captioning: VGG on each frame, an LSTM over frames")
          .optional("frames", &VideoNet::frames, "frames per clip")
          .at_least(1)
          .optional("frames_at_once", &VideoNet::frames_at_once, "frames per kernel")
          .at_least(1)
          .optional("hidden", &VideoNet::hidden, "hidden size of the LSTM")
          .whole()
          .at_least(1)
          .at_most(kWidest)
          .optional("vocabulary", &VideoNet::vocabulary, "vocabulary size")
          .whole()
          .at_least(1)
          .at_most(kWidest);
  return kSchema;
}

Graph build(const VideoNet& network, double batch, const NetOptions& options) {
  Net net("video", batch, options);
  net.share_weights_by_name();
  std::vector<Value> parts;
  for (std::uint32_t done = 0; done < network.frames; done += network.frames_at_once) {
    const std::uint32_t now = std::min(network.frames_at_once, network.frames - done);
    Value x = net.input("frame",
                        {.samples = batch,
                         .steps = static_cast<double>(now),
                         .channels = 3,
                         .height = 224,
                         .width = 224});
    x = vgg_features(net, x, Vgg{}.stages);
    parts.push_back(net.activation("fc6.relu", net.fully_connected("fc6", x, 4096)));
  }
  Value x = net.join_steps(parts);
  x = net.recurrent("lstm", x, Cell::kLstm, network.hidden);
  net.softmax("softmax", net.fully_connected("words", x, network.vocabulary));
  return std::move(net).take();
}

}  // namespace cairn::model
