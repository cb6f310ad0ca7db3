// A platform with its routes and realized collectives, which several steps on it share; with
// folding, switches that are always loaded equally are one.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "cairn/comm/collective_program.hpp"
#include "cairn/comm/realize.hpp"
#include "cairn/platform/merge_switches.hpp"

namespace cairn::comm {

// For one thread at a time.
class Network {
 public:
  // Precondition: platform != nullptr.
  Network(std::shared_ptr<const platform::Platform> platform,
          Endpoint endpoint,
          CollectivePolicy policy,
          bool fold)
      : platform_(std::move(platform)),
        endpoint_(std::move(endpoint)),
        policy_(std::move(policy)),
        fold_(fold),
        merged_(fold ? platform::merge_switches(*platform_) : std::nullopt),
        router_(merged_ ? merged_->platform : *platform_),
        realizer_(router_, endpoint_, policy_) {}

  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  [[nodiscard]] bool is_for(const platform::Platform& platform,
                            const Endpoint& endpoint,
                            const CollectivePolicy& policy,
                            bool fold) const {
    return fold_ == fold && policy_ == policy && endpoint_ == endpoint && *platform_ == platform;
  }

  [[nodiscard]] const platform::Platform& platform() const { return *platform_; }

  // On the platform with merged switches.
  [[nodiscard]] Realizer& realizer() { return realizer_; }

  // By link of the platform, given the resource of each link of the realizer's platform.
  [[nodiscard]] ResourceOfLink resource_of_link(const ResourceOfLink& realized) const {
    if (!merged_ || realized.empty()) {
      return realized;
    }
    ResourceOfLink resources;
    resources.reserve(merged_->link_of.size());
    for (const Id<platform::Link> link : merged_->link_of) {
      resources.push_back(realized[link.index()]);
    }
    return resources;
  }

 private:
  std::shared_ptr<const platform::Platform> platform_;
  Endpoint endpoint_;
  CollectivePolicy policy_;
  bool fold_;
  std::optional<platform::MergedPlatform> merged_;
  platform::Router router_;
  Realizer realizer_;
};

}  // namespace cairn::comm
