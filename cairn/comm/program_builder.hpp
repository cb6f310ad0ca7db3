// From schedules to a program for the engine: messages become lanes, links and injection limits
// become resources.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/comm/buffers.hpp"
#include "cairn/comm/collective.hpp"
#include "cairn/comm/endpoint.hpp"
#include "cairn/comm/endpoint_charges.hpp"
#include "cairn/comm/engine_stations.hpp"
#include "cairn/comm/layout.hpp"
#include "cairn/comm/schedule.hpp"
#include "cairn/platform/route.hpp"
#include "cairn/sim/program.hpp"

namespace cairn::comm {

// What a resource of the program stands for.
struct Traffic {
  std::string name{};          // "device 0 -> device 1"; of a class, the class's name
  std::uint32_t members = 1;   // links (or nodes) it stands for
  BytesPerSecond bandwidth{};  // of one member
  bool is_link = true;         // else an injection limit, unless it is an endpoint's
  bool of_endpoint = false;    // a device's memory, cores or bus
  // Of what is no link: links that each of its bytes crosses without drawing on them.
  double links_crossed = 0.0;
  // Of what is drawn, the part that is payload; the rest is added by protocols (of a link).
  double payload = 1.0;
};

// By link of the platform: the resource of the program that stands for it, kUnused if nothing is
// sent over it.
using ResourceOfLink = std::vector<std::uint32_t>;

inline constexpr std::uint32_t kUnused = 0xFFFFFFFF;

// By link: `value` of the resource that stands for it, 0 of those that are not used.
std::vector<double> by_link(const ResourceOfLink& resources, const std::vector<double>& value);

struct CollectiveProgram {
  sim::Program program{};
  std::vector<Traffic> traffic{};  // parallel to program.resources
  ResourceOfLink of_link{};        // if located
  std::uint32_t ranks = 0;         // positions or classes that are simulated
  MemoryTraffic moved{};           // by endpoints, in all
};

// Simulates one of each class of ranks, lanes and resources, as far as there are such (sim::fold).
CollectiveProgram fold_by_refinement(CollectiveProgram program);

struct Chunking {
  std::uint32_t chunks = 1;
  std::uint32_t window = 64;  // chunks on their way at once
  // Chunks pass the memory of engines, phase by phase; false: as if engines had enough of it.
  bool through_engines = false;
};

// Resources as they are, or one per class of the platform (folding by stated symmetry: the platform
// must be shift-symmetric, all of its devices do the same, and layouts ask for the first position
// only).
enum class View : std::uint8_t { kEveryMember, kOnePerClass };

// Of a device.
struct KernelResources {
  Id<sim::Resource> memory{};
  std::optional<Id<sim::Resource>> cores{};
};

class ProgramBuilder {
 public:
  // `router`: of the platform; must outlive this. `parts`: of the platform's devices, one after the
  // other and all of the same size. Devices of a part do the same; more than one only if the
  // platform is exchange-symmetric. A layout may then also hold one device of each of several
  // parts, and stands for all of them.
  ProgramBuilder(platform::Router& router,
                 View view,
                 const Endpoint& endpoint = {},
                 std::uint32_t parts = 1);

  // Adds the collective as tasks that start at once; may be called for several collectives. Bytes
  // of a phase's protocol that are not payload are drawn as well, and what endpoints move.
  // `buffers`: what each position contributes and gets; empty: as one of all positions.
  void add(const Collective& collective,
           const Layout& layout,
           const Schedule& schedule,
           const Chunking& chunking,
           std::span<const Buffers> buffers = {});

  // Endpoints of this device draw on what its kernels draw on, instead of resources of their own as
  // far as these would be no limit besides. To be said before collectives are added.
  void share(Id<platform::Node> device, const KernelResources& resources);

  // What a message over `route` draws on: links, and injection limits on the way. For programs that
  // hold more than collectives.
  void draw_along(const platform::Route& route, double share, std::vector<sim::Draw>& draws);
  Id<sim::Resource> add_resource(Traffic traffic);

  // What the engines of devices have too little of for what was added, if anything.
  [[nodiscard]] std::optional<Infeasible> engines_lack() const { return stations_.lacks(); }

  // To be asked when all is added.
  [[nodiscard]] ResourceOfLink locate_links() const;

  [[nodiscard]] CollectiveProgram& program() { return result_; }

  CollectiveProgram take();

 private:
  enum class Direction : std::uint8_t { kOut, kIn };

  // What a lane carries.
  struct Load {
    Bytes bytes{};   // in one step, of a chunk
    Bytes in_all{};  // and others of its class
    Charges charges{};
    double reduced = 0.0;  // of each byte, on average over steps: added up by the receiver
  };

  // What a device does for each byte of a message.
  struct Handled {
    MemoryTraffic memory{};
    double sent = 0.0;
    double received = 0.0;
  };

  sim::Lane make_lane(const Message& message,
                      const Layout& layout,
                      const Schedule& schedule,
                      const Load& load,
                      const platform::Protocol& protocol);
  platform::Route route_of(const Message& message, const Layout& layout, const Schedule& schedule);
  // What devices on the way draw on of their own; returns what their memories move.
  MemoryTraffic draw_at_devices(const platform::Route& route,
                                Id<platform::Node> sender,
                                Id<platform::Node> receiver,
                                const Charges& charges,
                                std::vector<sim::Draw>& draws);
  void draw_at_device(Id<platform::Node> device,
                      const Handled& handled,
                      std::vector<sim::Draw>& draws);
  // A phase in which the engines read what devices contribute, or write what they get; whether
  // there is one. `buffers`: of the part, by position.
  bool add_dma(std::span<const Buffers> buffers,
               const Layout& layout,
               Direction direction,
               sim::PhaseProgram& phases);
  void draw_at_alus(Id<platform::Node> device, double amount, std::vector<sim::Draw>& draws);
  void draw_part(Id<platform::Node> device,
                 std::size_t part,
                 double amount,
                 std::vector<sim::Draw>& draws);

  // Phases in which engines read and write.
  struct DmaPhases {
    bool in = false;
    bool out = false;
  };

  static constexpr std::uint32_t kResults = 0xFFFFFFFF;  // instead of a phase

  // Sets where the chunks of a part are in the engines of devices.
  void pass_engines(std::span<const Buffers> buffers,
                    const Layout& layout,
                    const Part& part,
                    const DmaPhases& dma,
                    sim::PhaseProgram& phases);
  [[nodiscard]] StationNeed need_of(const sim::Lane& lane, double chunk) const;
  Id<sim::Station> engine_station(const Layout& layout,
                                  std::uint32_t position,
                                  std::uint32_t phase);
  void cap_window(sim::PhaseProgram& phases) const;
  [[nodiscard]] Seconds forwarding_of(const platform::Route& route,
                                      Id<platform::Node> sender) const;
  // Of a node, or of its class in its part where one stands for all of them.
  [[nodiscard]] std::size_t index_of(Id<platform::Node> node) const;
  [[nodiscard]] std::string name_of(Id<platform::Node> node) const;
  [[nodiscard]] std::uint32_t members_of(Id<platform::Node> node) const;
  [[nodiscard]] std::string name_of(Id<platform::Link> link) const;
  // Whether there is one in each part of the platform, and in which this one is.
  [[nodiscard]] std::optional<std::uint32_t> part_of(Id<platform::Node> node) const;
  [[nodiscard]] std::optional<std::uint32_t> part_of(const platform::Link& link) const;
  // In link_resource_.
  [[nodiscard]] std::size_t index_of(Id<platform::Link> link) const;
  Id<sim::Resource> link_resource(Id<platform::Link> link);
  Id<sim::Resource> injection_resource(Id<platform::Node> node, Direction direction);
  void draw(std::vector<sim::Draw>& draws, Id<sim::Resource> resource, double amount) const;
  // Of a message over `route`: what is payload of what it draws.
  void note_payload(const platform::Route& route, Bytes bytes, double efficiency);

  const platform::Platform* platform_;
  View view_;
  std::uint32_t parts_;
  std::uint32_t stands_for_;  // devices that each rank of a program stands for
  Endpoint endpoint_;
  platform::Router* router_;
  CollectiveProgram result_;
  std::vector<std::array<double, 2>> carried_;  // by resource: payload, and with what protocols add
  std::vector<std::uint32_t> link_resource_;    // by link or link class; kNone: not yet
  std::array<std::vector<std::uint32_t>, 2>
      injection_resource_;  // by direction, then node or node class
  std::array<std::vector<std::uint32_t>, 5> part_resource_;  // by part of the endpoint, likewise
  std::array<std::vector<std::uint32_t>, 5> kernels_part_;   // likewise; kNone: not shared
  bool beside_kernels_ = false;
  EngineStations stations_;
};

}  // namespace cairn::comm
