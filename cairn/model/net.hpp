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
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "cairn/model/graph.hpp"

namespace cairn::model {

// Incompatible shapes, or too many layers. Callers that read a file turn it into a ConfigError.
class ShapeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A tensor with too many elements because of the batch: the network itself is valid.
class BatchError : public ShapeError {
 public:
  using ShapeError::ShapeError;
};

// Maximum tensors of a forward pass. Evaluating a step of this size takes a minute, and the time
// grows with the square.
inline constexpr double kMaxTensors = 1e5;

// Maximum features of a layer and elements of a tensor; both are exact in a double.
inline constexpr double kWidest = 1e9;
inline constexpr double kMaxElements = 1e15;

// Returns `elements`; throws ShapeError above kMaxElements.
double checked(double elements);
// The same for a tensor of `batch` samples; throws BatchError if one sample has few enough.
double checked(double elements, double batch);

// Shape of an activation: `samples` sequences of `steps` (video frames, tokens) of `channels` x
// `height` x `width` elements.
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
  bool ceiling = false;  // round up: windows that begin inside the input count
};

struct AttentionHeads {
  std::uint32_t heads = 1;
  std::uint32_t key_heads = 0;  // KV heads, shared by groups of query heads; 0: as many as heads
  bool causal = false;          // a step attends to itself and earlier steps
  std::uint32_t window = 0;     // to this many steps at most, itself included; 0: to all
};

// A norm over the features of each step (Ba et al. 2016).
struct RowNorm {
  bool rms = false;    // without mean and shift (Zhang and Sennrich 2019)
  bool affine = true;  // a scale per feature,
  bool shift = true;   // and, of a layer norm, a shift
  double heads = 1.0;  // parts of the features that are normalized each by itself, by one scale
};

struct EmbeddingBag {
  double tables = 1.0;
  double rows = 1.0;    // of each table
  double width = 1.0;   // of a row
  double pooled = 1.0;  // rows of a table looked up per sample
};

enum class Cell : std::uint8_t { kVanilla, kLstm, kGru };

// Weight matrices of a cell: 1 (vanilla), 4 (LSTM), 3 (GRU).
double gates(Cell cell);

// Saved for the backward pass of max-pooling: the positions of the maxima, or input and output.
enum class PoolSaves : std::uint8_t { kIndices, kLongIndices, kMaps };

// Saved for the backward pass of a ReLU: its output, or one bit per element.
enum class ActivationSaves : std::uint8_t { kMap, kMask };

// Kernels of a recurrent layer: one GEMM per step, as in DeepBench and DeepFlow; or, as in
// libraries, one GEMM for the inputs of all steps and one for the weight gradient of all steps.
enum class RecurrentKernels : std::uint8_t { kByStep, kByLayer };

struct NetOptions {
  PoolSaves pool_saves = PoolSaves::kIndices;
  ActivationSaves activation_saves = ActivationSaves::kMap;
  RecurrentKernels recurrent = RecurrentKernels::kByStep;
};

class Net {
 public:
  // `batch`: samples of a training step, all devices together.
  Net(std::string name, double batch, NetOptions options = {});

  [[nodiscard]] double batch() const { return graph_.batch; }

  // Further layers share the weight of an earlier layer with the same name.
  void share_weights_by_name() { share_weights_ = true; }

  // Further layers form a repeated block, up to the next call or `end_blocks`.
  void begin_block() { block_ = ++blocks_; }

  void end_blocks() { block_ = 0; }

  // External samples, without a gradient. One tensor per step; one for all steps with
  // RecurrentKernels::kByLayer.
  Value input(const std::string& name, Shape shape);
  // Activations of omitted lower layers; their gradient is computed.
  Value input_from_below(const std::string& name, Shape shape);
  // Either, with all steps in one tensor, as attention needs them.
  Value sequence(const std::string& name, Shape shape, TensorKind kind = TensorKind::kData);

  Value convolution(const std::string& name, const Value& x, const Convolution& layer);
  Value fully_connected(const std::string& name,
                        const Value& x,
                        double features,
                        bool bias = false);
  // a: rows x k, b: columns x k, per sample and step; gives rows x columns.
  Value matmul(const std::string& name, const Value& a, const Value& b);
  // Multi-head scaled dot-product attention over all steps of a sample. `maps`: Q, K and V, or one
  // activation with the features of all three. Saves these, its output, and a number per row and
  // head, never the scores.
  Value attention(const std::string& name,
                  const std::vector<Value>& maps,
                  const AttentionHeads& layer);
  // The same in separate kernels that store the scores of all queries and keys: GEMM, softmax (and
  // dropout), GEMM.
  Value attention_with_stored_scores(const std::string& name,
                                     const Value& qkv,
                                     std::uint32_t heads,
                                     bool dropout);
  // Additive attention (Bahdanau et al. 2015): for each query the mean of `memory`'s steps weighted
  // by softmax of v tanh(W_q q + W_k k). Two fully connected layers, scores, softmax, matmul.
  Value additive_attention(const std::string& name, const Value& queries, const Value& memory);
  // Saves a mask of a byte per element.
  Value dropout(const std::string& name, const Value& x);
  // max(0, x), in place.
  Value activation(const std::string& name, const Value& x);
  // Hendrycks and Gimpel 2016; not in place, since its gradient needs x.
  Value gelu(const std::string& name, const Value& x);
  // max(0, x)^2 (So et al., Primer, 2021); not in place, since its gradient needs x.
  Value squared_relu(const std::string& name, const Value& x);
  // x / (1 + e^-x) (Elfwing et al. 2017); not in place, since its gradient needs x.
  Value silu(const std::string& name, const Value& x);
  // Element-wise product.
  Value multiply(const std::string& name, const Value& a, const Value& b);
  // Views of consecutive features.
  std::vector<Value> split(const std::string& name,
                           const Value& x,
                           const std::vector<double>& features);
  // Rotary position embedding, RoPE (Su et al., RoFormer, 2021).
  Value rotary(const std::string& name, const Value& x);
  Value pool(const std::string& name, const Value& x, const Pool& layer);
  // Every `stride`-th position, zero-padded to `channels`: a residual connection without weights.
  Value subsample(const std::string& name, const Value& x, std::uint32_t stride, double channels);
  // Averages each channel to one number.
  Value global_average(const std::string& name, const Value& x);
  // Over the batch; `affine` adds a scale and a shift per channel to the weights.
  Value normalization(const std::string& name, const Value& x, bool affine = false);
  Value row_norm(const std::string& name, const Value& x, const RowNorm& norm);
  // Over the features of each step; `affine`: a scale and a shift per feature.
  Value layer_norm(const std::string& name, const Value& x, bool affine = true);
  Value rms_norm(const std::string& name, const Value& x);
  Value softmax(const std::string& name, const Value& x);
  // Loss per step over all features as classes. Saves log-probabilities.
  Value cross_entropy(const std::string& name, const Value& x);
  // The same in fp32 and unfused, one kernel each: copy, maximum, difference, exponential, sum,
  // quotient. Saves the probabilities.
  Value unfused_cross_entropy(const std::string& name, const Value& x);
  Value concat(const std::string& name, const std::vector<Value>& parts);
  Value add(const std::string& name, const Value& a, const Value& b);
  // Adds a learned position embedding: a table of `rows`, as many as steps if not given.
  Value add_positions(const std::string& name, const Value& x);
  Value add_positions(const std::string& name, const Value& x, double rows);
  // Each of x's features is a row index of the table.
  Value embedding(const std::string& name, const Value& x, double rows, double width);
  // Sum of the looked-up rows of each table, per sample (Naumov et al. 2019); one operator for all
  // tables. Only looked-up rows are trained.
  Value embedding_bag(const std::string& name, const EmbeddingBag& layer);
  // The elements below the diagonal of each sample's square matrix.
  Value below_diagonal(const std::string& name, const Value& x);
  // One operator per step of x, or one for all (NetOptions).
  Value recurrent(const std::string& name, const Value& x, Cell cell, double hidden);
  // Each element times an external number: a loss that stands for omitted upper layers.
  Value weighted_loss(const std::string& name, const Value& x);
  // The last step only.
  Value last_step(const Value& x);
  // Concatenates along the steps, one tensor per step.
  Value join_steps(const std::vector<Value>& parts);

  Graph take() &&;

 private:
  // Throws ShapeError if `more` tensors would exceed kMaxTensors; called before adding them.
  void expect(double more) const;
  Value add_input(const std::string& name, const Shape& shape, TensorKind kind);
  Id<Tensor> add_map(const std::string& name, double elements);
  // `what`: suffix of the tensor's name.
  Id<Tensor> add_weight(const std::string& layer, double elements, const char* what = ".weight");
  Value contract(Operator op, const Value& x, Shape shape, double weights, double biases = 0.0);
  Value steps_of_cells(const std::string& name, const Value& x, Cell cell, double hidden);
  Value layer_of_cells(const std::string& name, const Value& x, Cell cell, double hidden);

  // Element-wise operators that were added, and their outputs. The span is valid until the next
  // operator is added.
  struct ElementWise {
    Value value{};
    std::span<Operator> operators{};
  };

  // One operator per tensor of x, of `ops` per element of `shape`.
  ElementWise cheap(
      const std::string& name, OperatorKind kind, const Value& x, Shape shape, double ops);
  // One fp32 number per row.
  Id<Tensor> add_row_numbers(const std::string& name, double rows);
  [[nodiscard]] double rows_of_softmax(Id<Tensor> x) const;
  std::vector<Id<Tensor>> per_step(const Value& x);
  Operator& push(Operator op);

  Graph graph_;
  NetOptions options_;
  bool share_weights_ = false;
  std::uint32_t block_ = 0;                      // current block; 0: none
  std::uint32_t blocks_ = 0;                     // count so far
  std::uint32_t scores_ = 0;                     // current Operator::scores; 0: none
  std::uint32_t all_scores_ = 0;                 // count so far
  std::map<std::string, Id<Tensor>> weights_{};  // the last of each name
};

}  // namespace cairn::model
