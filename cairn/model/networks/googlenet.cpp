#include "cairn/model/networks/networks.hpp"

namespace cairn::model {

namespace {

// Output channels of an inception module: of the 1x1 branch, of the reductions before the 3x3 and
// 5x5 convolutions and of these, and of the projection after the pool.
struct Inception {
  const char* name;
  double one;
  double reduce_three;
  double three;
  double reduce_five;
  double five;
  double project;
};

class Builder {
 public:
  Builder(double batch, const NetOptions& options) : net_("googlenet", batch, options) {}

  Value conv(const std::string& name, const Value& x, const Convolution& layer) {
    return net_.activation(name + ".relu", net_.convolution(name, x, layer));
  }

  Value inception(const Value& x, const Inception& layer) {
    const std::string name = layer.name;
    const Value one = conv(name + ".1x1", x, {.channels = layer.one});
    const Value three = conv(name + ".3x3",
                             conv(name + ".3x3_reduce", x, {.channels = layer.reduce_three}),
                             {.channels = layer.three, .kernel = 3, .pad = 1});
    const Value five = conv(name + ".5x5",
                            conv(name + ".5x5_reduce", x, {.channels = layer.reduce_five}),
                            {.channels = layer.five, .kernel = 5, .pad = 2});
    const Value pooled = net_.pool(name + ".pool", x, {.kernel = 3, .stride = 1, .pad = 1});
    const Value project = conv(name + ".project", pooled, {.channels = layer.project});
    return net_.concat(name, {one, three, five, project});
  }

  Graph build() {
    const Pool halve{.kernel = 3, .stride = 2, .ceiling = true};
    Value x =
        net_.input("image", {.samples = net_.batch(), .channels = 3, .height = 224, .width = 224});
    x = conv("conv1", x, {.channels = 64, .kernel = 7, .stride = 2, .pad = 3});
    x = net_.pool("pool1", x, halve);
    x = conv("conv2.reduce", x, {.channels = 64});
    x = conv("conv2", x, {.channels = 192, .kernel = 3, .pad = 1});
    x = net_.pool("pool2", x, halve);
    x = inception(x, {"3a", 64, 96, 128, 16, 32, 32});
    x = inception(x, {"3b", 128, 128, 192, 32, 96, 64});
    x = net_.pool("pool3", x, halve);
    x = inception(x, {"4a", 192, 96, 208, 16, 48, 64});
    x = inception(x, {"4b", 160, 112, 224, 24, 64, 64});
    x = inception(x, {"4c", 128, 128, 256, 24, 64, 64});
    x = inception(x, {"4d", 112, 144, 288, 32, 64, 64});
    x = inception(x, {"4e", 256, 160, 320, 32, 128, 128});
    x = net_.pool("pool4", x, halve);
    x = inception(x, {"5a", 256, 160, 320, 32, 128, 128});
    x = inception(x, {"5b", 384, 192, 384, 48, 128, 128});
    x = net_.global_average("average", x);
    net_.softmax("softmax", net_.fully_connected("fc", x, 1000));
    return std::move(net_).take();
  }

 private:
  Net net_;
};

}  // namespace

const Schema<GoogLeNet>& schema_of(const GoogLeNet*) {
  static const auto kSchema =
      Schema<GoogLeNet>("googlenet", "image recognition, 58 layers (Szegedy et al. 2015)");
  return kSchema;
}

Graph build(const GoogLeNet& /*network*/, double batch, const NetOptions& options) {
  return Builder(batch, options).build();
}

}  // namespace cairn::model
