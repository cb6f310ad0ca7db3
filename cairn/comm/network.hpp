// A platform with its routes and realized collectives, which several steps on it share.
#pragma once

#include <utility>

#include "cairn/comm/realize.hpp"

namespace cairn::comm {

// For one thread at a time.
class Network {
 public:
  Network(platform::Platform platform, Endpoint endpoint, CollectivePolicy policy)
      : platform_(std::move(platform)),
        endpoint_(std::move(endpoint)),
        policy_(std::move(policy)),
        router_(platform_),
        realizer_(router_, endpoint_, policy_) {}

  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  [[nodiscard]] bool is_for(const platform::Platform& platform,
                            const Endpoint& endpoint,
                            const CollectivePolicy& policy) const {
    return policy_ == policy && endpoint_ == endpoint && platform_ == platform;
  }

  [[nodiscard]] Realizer& realizer() { return realizer_; }

 private:
  platform::Platform platform_;
  Endpoint endpoint_;
  CollectivePolicy policy_;
  platform::Router router_;
  Realizer realizer_;
};

}  // namespace cairn::comm
