// What a training step of a language model amounts to in tokens.
#pragma once

namespace cairn::explain {

struct TokenRates {
  double tokens = 0.0;  // of a step, all devices together
  double tokens_per_s = 0.0;
  double tokens_per_s_per_device = 0.0;
  // Model FLOPs over time and devices, without recomputation. Scores that causal attention masks
  // do not count, or do, as in many reports.
  double flops_per_s_per_device = 0.0;
  double flops_per_s_per_device_not_causal = 0.0;
  double mfu = 0.0;  // of the peak of the training precision
  double mfu_not_causal = 0.0;
};

struct TokenWork {
  double tokens_per_sample = 0.0;
  double flops_per_token = 0.0;
  double flops_per_token_not_causal = 0.0;
};

// `batch`: samples of a step. `peak`: FLOP/s of a device.
inline TokenRates token_rates(
    const TokenWork& work, double batch, double step_seconds, double devices, double peak) {
  TokenRates rates{.tokens = batch * work.tokens_per_sample};
  rates.tokens_per_s = rates.tokens / step_seconds;
  rates.tokens_per_s_per_device = rates.tokens_per_s / devices;
  rates.flops_per_s_per_device = rates.tokens_per_s_per_device * work.flops_per_token;
  rates.flops_per_s_per_device_not_causal =
      rates.tokens_per_s_per_device * work.flops_per_token_not_causal;
  rates.mfu = rates.flops_per_s_per_device / peak;
  rates.mfu_not_causal = rates.flops_per_s_per_device_not_causal / peak;
  return rates;
}

}  // namespace cairn::explain
