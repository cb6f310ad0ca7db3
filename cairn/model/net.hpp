// Builds a graph layer by layer, and checks that shapes chain.
//
//   Net net("small", 64);
//   Value x = net.input("image", {.samples = 64, .channels = 3, .height = 32, .width = 32});
//   x = net.convolution("conv", x, {.channels = 16, .kernel = 3, .pad = 1});
//   x = net.fully_connected("classes", net.activation("relu", x), 10);
//   Graph graph = std::move(net).take();
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "cairn/model/graph.hpp"

namespace cairn::model {

// Layers whose shapes do not fit together, or that are too many. Who builds from a file turns it
// into a ConfigError.
class ShapeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The most tensors that a forward pass may have. Evaluating a step of so many takes a minute, and
// the time grows with their square.
inline constexpr double kMostTensors = 1e5;

// Features of a layer, and elements of a tensor: all are counted exactly.
inline constexpr double kWidest = 1e9;
inline constexpr double kMostElements = 1e15;

// So many; throws ShapeError if a tensor cannot have them.
double checked(double elements);

// What flows between layers: `samples` sequences of `steps` maps (video frames, words), each of
// `channels` x `height` x `width`.
struct Shape {
  double samples = 1.0;
  double steps = 1.0;
  double channels = 1.0;
  double height = 1.0;
  double width = 1.0;

  [[nodiscard]] double features() const { return channels * height * width; }

  [[nodiscard]] double elements() const { return samples * steps * features(); }

  bool operator==(const Shape&) const = default;
};

// "64 samples of 3 x 224 x 224"
std::string to_text(const Shape& shape);

// One tensor for all steps, or one per step.
struct Value {
  std::vector<Id<Tensor>> tensors{};
  Shape shape{};
};

struct Convolution {
  double channels = 1.0;  // of the output
  std::uint32_t kernel = 1;
  std::uint32_t stride = 1;
  std::uint32_t pad = 0;
  std::uint32_t groups = 1;
};

struct Pool {
  std::uint32_t kernel = 2;
  std::uint32_t stride = 2;
  std::uint32_t pad = 0;
  bool average = false;
  bool ceiling = false;  // a window that starts inside the map counts, even if it ends outside
};

struct AttentionHeads {
  std::uint32_t heads = 1;
  std::uint32_t key_heads = 0;  // of K and V, which groups of queries share; 0: as many as heads
  bool causal = false;          // a step sees itself and those before it
};

struct EmbeddingBag {
  double tables = 1.0;
  double rows = 1.0;    // of each table
  double width = 1.0;   // of a row
  double pooled = 1.0;  // rows of a table that a sample reads
};

enum class Cell : std::uint8_t { kVanilla, kLstm, kGru };

// Matrices of a cell's weights: 1, 4 (LSTM), 3 (GRU).
double gates(Cell cell);

// What the backward pass of max-pooling reads: the places of the maxima, or the maps before and
// after the pool.
enum class PoolSaves : std::uint8_t { kIndices, kLongIndices, kMaps };

// What the backward pass of an activation reads: its output, or one bit per element of it.
enum class ActivationSaves : std::uint8_t { kMap, kMask };

// How the steps of a recurrent layer are computed: each by itself, as DeepBench's and DeepFlow's
// are; or as libraries do, with the products that do not depend on the state in one, and one for
// the weight gradient of all steps.
enum class RecurrentKernels : std::uint8_t { kByStep, kByLayer };

struct NetOptions {
  PoolSaves pool_saves = PoolSaves::kIndices;
  ActivationSaves activation_saves = ActivationSaves::kMap;
  RecurrentKernels recurrent = RecurrentKernels::kByStep;
};

class Net {
 public:
  // `batch`: samples in a step of training, all devices together.
  Net(std::string name, double batch, NetOptions options = {});

  [[nodiscard]] double batch() const { return graph_.batch; }

  // From now on a layer of the name of one before it shares that one's weight.
  void share_weights_by_name() { share_weights_ = true; }

  // Layers from now on, up to the next call, are one of those that repeat; `end_blocks`: of none.
  void begin_block() { block_ = ++blocks_; }

  void end_blocks() { block_ = 0; }

  // Samples from outside; no gradient is computed for them. One tensor per step, or one for all
  // where recurrent layers read all at once.
  Value input(const std::string& name, Shape shape);
  // The same, but from layers that are left out: their gradient is computed too.
  Value input_from_below(const std::string& name, Shape shape);
  // Either, with all steps in one tensor, as attention reads them.
  Value sequence(const std::string& name, Shape shape, TensorKind kind = TensorKind::kData);

  Value convolution(const std::string& name, const Value& x, const Convolution& layer);
  // `bias` adds a number to each output.
  Value fully_connected(const std::string& name,
                        const Value& x,
                        double features,
                        bool bias = false);
  // a: rows x k, b: columns x k, per sample and step; gives rows x columns.
  Value matmul(const std::string& name, const Value& a, const Value& b);
  // Scaled dot-product attention over all steps of a sample, by heads. `maps`: Q, K and V, or one
  // with the features of all three side by side. Keeps these, its output, and a number per row and
  // head, never the scores.
  Value attention(const std::string& name,
                  const std::vector<Value>& maps,
                  const AttentionHeads& layer);
  // The same of one map, by kernels that store the scores of all queries for all keys: a product,
  // softmax (and dropout), a product.
  Value attention_by_scores(const std::string& name,
                            const Value& qkv,
                            std::uint32_t heads,
                            bool dropout);
  // Of each query a mean of `memory`'s steps, weighed by softmax of v tanh(W_q q + W_k k) (Bahdanau
  // et al. 2015): queries and keys to as many features as a query has, the scores of all queries
  // for all keys, softmax, a product.
  Value additive_attention(const std::string& name, const Value& queries, const Value& memory);
  // Some elements, at random, are zero; keeps a byte for each.
  Value dropout(const std::string& name, const Value& x);
  // max(0, x), in place.
  Value activation(const std::string& name, const Value& x);
  // x times the probability that a normal variable is less (Hendrycks and Gimpel 2016); not in
  // place, for its gradient needs x.
  Value gelu(const std::string& name, const Value& x);
  // x / (1 + e^-x) (Elfwing et al. 2017); not in place, as above.
  Value silu(const std::string& name, const Value& x);
  // Element by element.
  Value multiply(const std::string& name, const Value& a, const Value& b);
  // So many features each, where they are.
  std::vector<Value> split(const std::string& name,
                           const Value& x,
                           const std::vector<double>& features);
  // Pairs of features turned by an angle that grows with the step (Su et al., RoFormer, 2021).
  Value rotary(const std::string& name, const Value& x);
  Value pool(const std::string& name, const Value& x, const Pool& layer);
  // Every `stride`-th position, filled up with zeros to `channels`: a shortcut without weights.
  Value subsample(const std::string& name, const Value& x, std::uint32_t stride, double channels);
  // Averages each channel to one number.
  Value global_average(const std::string& name, const Value& x);
  // Over the batch; `affine` adds a scale and a shift per channel to the weights.
  Value normalization(const std::string& name, const Value& x, bool affine = false);
  // Over the features of each step (Ba et al. 2016); `affine` as above, per feature.
  Value layer_norm(const std::string& name, const Value& x, bool affine = true);
  // The same without the mean, and with a scale only (Zhang and Sennrich 2019).
  Value rms_norm(const std::string& name, const Value& x);
  Value softmax(const std::string& name, const Value& x);
  // The loss of the right one among all features of each step. Keeps logarithms of probabilities.
  Value cross_entropy(const std::string& name, const Value& x);
  // The same in fp32 and step by step, each a kernel: copy, maximum, difference, exponential, sum,
  // quotient. Keeps the probabilities.
  Value cross_entropy_by_steps(const std::string& name, const Value& x);
  Value concat(const std::string& name, const std::vector<Value>& parts);
  Value add(const std::string& name, const Value& a, const Value& b);
  // A trained vector for each step, added.
  Value add_positions(const std::string& name, const Value& x);
  // Each of x's features is the number of a row in a table.
  Value embedding(const std::string& name, const Value& x, double rows, double width);
  // Of each sample and table the sum of rows whose numbers come from outside (Naumov et al. 2019);
  // one operator for all tables. Only rows that were looked up are trained.
  Value embedding_bag(const std::string& name, const EmbeddingBag& layer);
  // Of each sample's square map, what is below the diagonal.
  Value below_diagonal(const std::string& name, const Value& x);
  // One operator per step of x, or one for all (NetOptions).
  Value recurrent(const std::string& name, const Value& x, Cell cell, double hidden);
  // Each element times a number from outside: a loss, in place of layers above.
  Value weigh(const std::string& name, const Value& x);
  // The last step only.
  Value last_step(const Value& x);
  // The steps one after the other, a tensor for each.
  Value join_steps(const std::vector<Value>& parts);

  Graph take() &&;

 private:
  // Throws ShapeError if `more` tensors are too many. Asked before they are made.
  void expect(double more) const;
  Value add_input(const std::string& name, const Shape& shape, TensorKind kind);
  Id<Tensor> add_map(const std::string& name, double elements);
  // `what` it is of the layer of that name.
  Id<Tensor> add_weight(const std::string& layer, double elements, const char* what = ".weight");
  Value contract(Operator op, const Value& x, Shape shape, double weights, double biases = 0.0);
  Value steps_of_cells(const std::string& name, const Value& x, Cell cell, double hidden);
  Value layer_of_cells(const std::string& name, const Value& x, Cell cell, double hidden);
  Value cheap(const std::string& name, OperatorKind kind, const Value& x, Shape shape, double ops);
  // Over the features of each row, of which it keeps so many numbers, with so many weights each.
  Value norm_of_rows(const std::string& name,
                     const Value& x,
                     double weights_per_feature,
                     double numbers_per_row,
                     double ops);
  // One fp32 number for each of so many rows.
  Id<Tensor> add_row_numbers(const std::string& name, double rows);
  [[nodiscard]] double rows_of_softmax(Id<Tensor> x) const;
  std::vector<Id<Tensor>> per_step(const Value& x);
  Operator& push(Operator op);

  Graph graph_;
  NetOptions options_;
  bool share_weights_ = false;
  std::uint32_t block_ = 0;                      // that layers belong to now
  std::uint32_t blocks_ = 0;                     // so far
  std::uint32_t scores_ = 0;                     // that operators are of now
  std::uint32_t all_scores_ = 0;                 // so far
  std::map<std::string, Id<Tensor>> weights_{};  // by name, the last of each
};

}  // namespace cairn::model
