// Lowers schedules to a program for the simulator: messages become lanes, links and injection
// limits become resources.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/comm/buffers.hpp"
#include "cairn/comm/collective.hpp"
#include "cairn/comm/collective_program.hpp"
#include "cairn/comm/endpoint.hpp"
#include "cairn/comm/endpoint_charges.hpp"
#include "cairn/comm/engine_stations.hpp"
#include "cairn/comm/layout.hpp"
#include "cairn/comm/schedule.hpp"
#include "cairn/platform/route.hpp"
#include "cairn/sim/program.hpp"

namespace cairn::comm {

struct Chunking {
  std::uint32_t chunks = 1;
  std::uint32_t window = 64;  // maximum number of chunks in flight
  // Chunks pass the memory of engines, phase by phase; false: that memory is no limit.
  bool through_engines = false;
};

// Every resource, or one for each class of the platform (folding by stated symmetry: the platform
// must be shift-symmetric, all of its devices do the same, and layouts have first_position_only).
enum class View : std::uint8_t { kEveryMember, kOnePerClass };

// Resources of a device that its kernels use.
struct KernelResources {
  Id<sim::Resource> memory{};
  std::optional<Id<sim::Resource>> cores{};
};

class ProgramBuilder {
 public:
  // `router`: of the platform; must outlive this. `parts`: number of consecutive, equal parts of
  // the platform's devices (pipeline stages). Devices of a part do the same; more than one part
  // requires an exchange-symmetric platform. A layout may then also have one device of each of
  // several parts, which represents all devices of its part.
  ProgramBuilder(platform::Router& router,
                 View view,
                 const Endpoint& endpoint = {},
                 std::uint32_t parts = 1);

  // Resources get no names, which take time to make. For programs that nobody reads.
  void leave_unnamed() { unnamed_ = true; }

  // Adds the collective as tasks that start together; may be called for several collectives. Tasks
  // also draw protocol overhead on links, and the traffic of endpoints. `buffers`: of each
  // position; empty: those of one group of all positions.
  void add(const Collective& collective,
           const GroupLayout& layout,
           const CollectiveSchedule& schedule,
           const Chunking& chunking,
           std::span<const Buffers> buffers = {});

  // The endpoint of this device draws on the resources of its kernels, and on resources of its own
  // only where these are a further limit. Call before collectives are added.
  void share(Id<platform::Node> device, const KernelResources& resources);

  // The draws of a message over `route`: links and injection limits. For programs with more than
  // collectives.
  void draw_along(const platform::Route& route, double share, std::vector<sim::Draw>& draws);
  Id<sim::Resource> add_resource(Traffic traffic);

  // Infeasible if the engines of devices are too small for the collectives added so far.
  [[nodiscard]] std::optional<Infeasible> check_engines() const {
    return stations_.check_engines();
  }

  // Call after the last add().
  [[nodiscard]] ResourceOfLink locate_links() const;

  [[nodiscard]] CollectiveProgram& program() { return result_; }

  CollectiveProgram take();

 private:
  enum class Direction : std::uint8_t { kOut, kIn };

  // Traffic of a lane.
  struct Load {
    Bytes bytes{};   // of a chunk in one step
    Bytes in_all{};  // of all chunks, steps and members of its class
    Charges charges{};
    double reduced = 0.0;  // fraction that the receiver reduces, averaged over steps
  };

  // Work of a device for each byte of a message.
  struct Handled {
    MemoryTraffic memory{};
    double sent = 0.0;
    double received = 0.0;
  };

  // The end of the messages from `first` on that are equal to it in all that counts.
  [[nodiscard]] std::uint32_t after_equal(std::span<const Message> messages,
                                          std::uint32_t first,
                                          std::uint32_t end) const;
  // Adds the lane to those of its phase, or to the last of them.
  void add_lane(const sim::Lane& lane, std::uint32_t first_of_phase, std::vector<sim::Lane>& lanes);
  sim::Lane make_lane(const Message& message,
                      const GroupLayout& layout,
                      const CollectiveSchedule& schedule,
                      const Load& load,
                      const platform::Protocol& protocol);
  // Valid until the next call.
  const platform::Route& route_of(const Message& message,
                                  const GroupLayout& layout,
                                  const CollectiveSchedule& schedule);
  // Adds the draws of sender, receiver and forwarding devices; returns their memory traffic.
  MemoryTraffic draw_at_devices(const platform::Route& route,
                                Id<platform::Node> sender,
                                Id<platform::Node> receiver,
                                const Charges& charges,
                                std::vector<sim::Draw>& draws);
  void draw_at_device(Id<platform::Node> device,
                      const Handled& handled,
                      std::vector<sim::Draw>& draws);
  // Adds a phase in which engines read the inputs of devices, or write their results; false if
  // there is nothing to move. `buffers`: of the part, by position.
  bool add_dma(std::span<const Buffers> buffers,
               const GroupLayout& layout,
               Direction direction,
               sim::PhaseProgram& phases);
  void draw_at_alus(Id<platform::Node> device, double amount, std::vector<sim::Draw>& draws);
  void draw_part(Id<platform::Node> device,
                 std::size_t part,
                 double amount,
                 std::vector<sim::Draw>& draws);

  // Whether a part has phases in which engines read or write.
  struct DmaPhases {
    bool in = false;
    bool out = false;
  };

  static constexpr std::uint32_t kResults = 0xFFFFFFFF;  // instead of a phase

  // Sets the engine stations of the chunks of a part in each phase.
  void pass_engines(std::span<const Buffers> buffers,
                    const GroupLayout& layout,
                    const Part& part,
                    const DmaPhases& dma,
                    sim::PhaseProgram& phases);
  [[nodiscard]] StationNeed need_of(const sim::Lane& lane, double chunk) const;
  Id<sim::Station> engine_station(const GroupLayout& layout,
                                  std::uint32_t position,
                                  std::uint32_t phase);
  void cap_window(sim::PhaseProgram& phases) const;
  [[nodiscard]] Seconds forwarding_of(const platform::Route& route,
                                      Id<platform::Node> sender) const;
  // Index of a node, or of its class in its part with View::kOnePerClass.
  [[nodiscard]] std::size_t index_of(Id<platform::Node> node) const;
  [[nodiscard]] std::string name_of(Id<platform::Node> node) const;
  [[nodiscard]] std::uint32_t members_of(Id<platform::Node> node) const;
  [[nodiscard]] std::string name_of(Id<platform::Link> link) const;
  // The part of the platform that it belongs to; nothing if all parts share it.
  [[nodiscard]] std::optional<std::uint32_t> part_of(Id<platform::Node> node) const;
  [[nodiscard]] std::optional<std::uint32_t> part_of(const platform::Link& link) const;
  // Index in link_resource_.
  [[nodiscard]] std::size_t index_of(Id<platform::Link> link) const;
  Id<sim::Resource> link_resource(Id<platform::Link> link);
  Id<sim::Resource> injection_resource(Id<platform::Node> node, Direction direction);
  // Draws `amount` on each of `drawn_on` merged members (platform/merge_switches.hpp).
  void draw(std::vector<sim::Draw>& draws,
            Id<sim::Resource> resource,
            double amount,
            std::uint32_t drawn_on = 1) const;
  // Accounts for payload and protocol overhead of a message over `route`.
  void note_payload(const platform::Route& route, Bytes bytes, double efficiency);

  const platform::Platform* platform_;
  View view_;
  std::uint32_t parts_;
  std::uint32_t stands_for_;  // devices represented by each rank of a program
  Endpoint endpoint_;
  platform::Router* router_;
  platform::Route along_links_;  // of a message with links of its own
  CollectiveProgram result_;
  std::vector<std::array<double, 2>> traffic_;  // by resource: payload; payload plus overhead
  std::vector<std::uint32_t> link_resource_;    // by link or link class; kUnused: not yet
  std::array<std::vector<std::uint32_t>, 2>
      injection_resource_;  // by direction, then node or node class
  std::array<std::vector<std::uint32_t>, 5> part_resource_;  // by part of the endpoint, then node
  std::array<std::vector<std::uint32_t>, 5> kernels_part_;   // the same; kUnused: not shared
  bool beside_kernels_ = false;
  bool unnamed_ = false;
  EngineStations stations_;
};

}  // namespace cairn::comm
