#include "cairn/base/schema.hpp"

#include <gtest/gtest.h>

namespace {

enum class Shape { kRing, kTorus };

}  // namespace

template <>
struct cairn::EnumNames<Shape> {
  static constexpr std::array<EnumName<Shape>, 2> kNames{
      {{Shape::kRing, "ring"}, {Shape::kTorus, "torus"}}};
};

namespace cairn {
namespace {

struct LinkParams {
  BytesPerSecond bandwidth;
  Seconds latency{500e-9};
};

const Schema<LinkParams>& schema_of(const LinkParams* /*tag*/) {
  static const auto kSchema =
      Schema<LinkParams>("link", "connection between two nodes")
          .required("bandwidth", &LinkParams::bandwidth, "per direction", "25 GB/s")
          .positive()
          .optional("latency", &LinkParams::latency, "time for the first byte")
          .not_negative();
  return kSchema;
}

struct SystemParams {
  Shape shape = Shape::kRing;
  std::uint32_t devices = 8;
  std::vector<LinkParams> links;
  std::optional<Bytes> memory;
  std::vector<double> weights{0.5, 1.0};
  bool wraps = true;
  std::string name = "none yet";
  Config extra;
};

const Schema<SystemParams>& schema_of(const SystemParams* /*tag*/) {
  static const auto kSchema =
      Schema<SystemParams>("system")
          .optional("shape", &SystemParams::shape, "topology of the links")
          .optional("devices", &SystemParams::devices, "number of devices")
          .at_least(1)
          .at_most(1000)
          .optional("links", &SystemParams::links, "one per dimension")
          .optional("memory", &SystemParams::memory, "capacity per device")
          .at_least(Bytes(1e9))
          .optional("weights", &SystemParams::weights, "share of each class")
          .not_negative()
          .optional("wraps", &SystemParams::wraps, "wrap-around links")
          .optional("name", &SystemParams::name, "for messages")
          .optional("extra", &SystemParams::extra, "anything");
  return kSchema;
}

template <class T>
T read(std::string_view text) {
  return read_config<T>(parse_config(text, "f.yaml"));
}

template <class T>
std::string error_of(std::string_view text) {
  try {
    read<T>(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(Schema, ReadsWhatIsWrittenAndDefaultsTheRest) {
  const auto link = read<LinkParams>("bandwidth: 25 GB/s\n");

  EXPECT_EQ(link.bandwidth, BytesPerSecond(25e9));
  EXPECT_EQ(link.latency, Seconds(500e-9));
}

TEST(Schema, ReadsEveryKindOfField) {
  const auto system = read<SystemParams>(
      "shape: torus\n"
      "devices: 64\n"
      "links: [{bandwidth: 1 GB/s}, {bandwidth: 2 GB/s, latency: 0 s}]\n"
      "memory: 80 GiB\n"
      "weights: 0.25\n"
      "wraps: false\n"
      "name: my system\n"
      "extra: {a: [1]}\n");

  EXPECT_EQ(system.shape, Shape::kTorus);
  EXPECT_EQ(system.devices, 64U);
  ASSERT_EQ(system.links.size(), 2U);
  EXPECT_EQ(system.links[1].bandwidth, BytesPerSecond(2e9));
  EXPECT_EQ(system.memory, Bytes(80.0 * 1024 * 1024 * 1024));
  EXPECT_EQ(system.weights, std::vector<double>{0.25});
  EXPECT_FALSE(system.wraps);
  EXPECT_EQ(system.name, "my system");
  EXPECT_EQ(to_text(system.extra), "{a: [1]}");
}

TEST(Schema, UnknownKeyNamesTheNearestKnownOne) {
  EXPECT_EQ(error_of<LinkParams>("bandwidth: 25 GB/s\nlatnecy: 1 ns\n"),
            R"(f.yaml:2: latnecy: unknown key (did you mean "latency"?))");
  EXPECT_EQ(error_of<LinkParams>("bandwidth: 25 GB/s\ncolour: red\n"),
            "f.yaml:2: colour: unknown key (known: bandwidth, latency)");
}

TEST(Schema, MissingKeyShowsAnExample) {
  EXPECT_EQ(
      error_of<SystemParams>("devices: 2\nlinks:\n  - bandwidth: 1 GB/s\n  - latency: 1 ns\n"),
      R"(f.yaml:4: links[1].bandwidth: missing (expected e.g. "bandwidth: 25 GB/s"))");
}

TEST(Schema, WrongValuesNameFileLineAndKey) {
  EXPECT_EQ(error_of<LinkParams>("bandwidth: 25 GB\n"),
            R"(f.yaml:1: bandwidth: "25 GB" is not a bandwidth (expected e.g. "25 GB/s"))");
  EXPECT_EQ(error_of<LinkParams>("bandwidth: [1 GB/s]\n"),
            R"(f.yaml:1: bandwidth: a list is not a bandwidth (expected e.g. "25 GB/s"))");
  EXPECT_EQ(error_of<LinkParams>("bandwidth:\n"),
            R"(f.yaml:1: bandwidth: no value is not a bandwidth (expected e.g. "25 GB/s"))");
  EXPECT_EQ(error_of<LinkParams>("fast\n"),
            R"(f.yaml:1: "fast" is not a link (expected keys, e.g. "bandwidth: ..."))");
  EXPECT_EQ(error_of<SystemParams>("shape: rign\n"),
            R"(f.yaml:1: shape: "rign" is unknown (did you mean "ring"?))");
  EXPECT_EQ(error_of<SystemParams>("shape: cube\n"),
            R"(f.yaml:1: shape: "cube" is unknown (known: ring, torus))");
  EXPECT_EQ(error_of<SystemParams>("wraps: yes\n"),
            R"(f.yaml:1: wraps: "yes" is not a boolean (expected true or false))");
  EXPECT_EQ(error_of<SystemParams>("weights: [1, nan]\n"),
            R"(f.yaml:1: weights[1]: "nan" is not a number (expected e.g. "0.5"))");
}

TEST(Schema, BoundsAreChecked) {
  EXPECT_EQ(error_of<LinkParams>("bandwidth: 0 B/s\n"),
            R"(f.yaml:1: bandwidth: "0 B/s" is out of range (expected above 0 B/s))");
  EXPECT_EQ(error_of<LinkParams>("bandwidth: 1 B/s\nlatency: -1 ns\n"),
            R"(f.yaml:2: latency: "-1 ns" is out of range (expected at least 0 s))");
  EXPECT_EQ(error_of<SystemParams>("devices: 0\n"),
            R"(f.yaml:1: devices: "0" is out of range (expected at least 1, at most 1000))");
  EXPECT_EQ(error_of<SystemParams>("memory: 1 MB\n"),
            R"(f.yaml:1: memory: "1 MB" is out of range (expected at least 1 GB))");
  EXPECT_EQ(error_of<SystemParams>("weights:\n  - 1\n  - -1\n"),
            R"(f.yaml:3: weights[1]: "-1" is out of range (expected at least 0))");
}

TEST(Schema, RejectsFractionsAndOverflowOfIntegers) {
  const std::string not_whole = R"( is not a whole number (expected e.g. "8"))";

  EXPECT_EQ(error_of<SystemParams>("devices: 2.5\n"), "f.yaml:1: devices: \"2.5\"" + not_whole);
  EXPECT_EQ(error_of<SystemParams>("devices: 1e3\n"), "f.yaml:1: devices: \"1e3\"" + not_whole);
  EXPECT_EQ(error_of<SystemParams>("devices: 8 x\n"), "f.yaml:1: devices: \"8 x\"" + not_whole);
  EXPECT_EQ(error_of<SystemParams>("devices: -1\n"),
            R"(f.yaml:1: devices: "-1" is out of range (expected 0 to 4294967295))");
  EXPECT_EQ(error_of<SystemParams>("devices: 1000000000000\n"),
            R"(f.yaml:1: devices: "1000000000000" is out of range (expected 0 to 4294967295))");
  EXPECT_NE(error_of<SystemParams>("devices: 99999999999999999999999\n"), "");
}

struct Count {
  double samples = 1.0;
};

const Schema<Count>& schema_of(const Count* /*tag*/) {
  static const auto kSchema =
      Schema<Count>("count").optional("samples", &Count::samples, "per step").whole().at_least(1);
  return kSchema;
}

TEST(Schema, WholeRejectsAFraction) {
  EXPECT_EQ(read<Count>("samples: 1e3\n").samples, 1000.0);
  EXPECT_EQ(error_of<Count>("samples: 3.7\n"),
            R"(f.yaml:1: samples: "3.7" is not a whole number (expected whole, at least 1))");
  EXPECT_EQ(error_of<Count>("samples: 0.5\n"),
            R"(f.yaml:1: samples: "0.5" is out of range (expected whole, at least 1))");
}

TEST(Schema, RejectsImplausibleMagnitudes) {
  EXPECT_EQ(error_of<Count>("samples: 1e300\n"),
            R"(f.yaml:1: samples: "1e300" is out of range (expected 0, or 1e-30 to 1e+30))");
}

TEST(Schema, NullIsReadAsAnEmptyMap) {
  EXPECT_EQ(read_config<SystemParams>(Config{}).devices, 8U);
}

TEST(Schema, ParametersDescribeThemselves) {
  const std::vector<Parameter> rows = schema_of(static_cast<LinkParams*>(nullptr)).parameters();

  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].type, "bandwidth (B/s), above 0 B/s");
  EXPECT_EQ(rows[0].default_value, "required");
  EXPECT_EQ(rows[1].key, "latency");
  EXPECT_EQ(rows[1].default_value, "500 ns");
}

struct Transfers {
  bool overlaps = true;
  std::uint32_t window = 1;
};

const Schema<Transfers>& schema_of(const Transfers* /*tag*/) {
  static const auto kSchema =
      Schema<Transfers>("transfers")
          .optional("window", &Transfers::window, "layers ahead")
          .used_if([](const Transfers& transfers) { return transfers.overlaps; }, "overlaps: true")
          .optional("overlaps", &Transfers::overlaps, "with kernels");
  return kSchema;
}

TEST(Schema, AKeyWithoutEffectIsAnErrorThatNamesTheSettingThatUsesIt) {
  EXPECT_EQ(read<Transfers>("{window: 2}").window, 2U);
  EXPECT_EQ(read<Transfers>("{overlaps: false}").window, 1U);
  EXPECT_EQ(error_of<Transfers>("overlaps: false\nwindow: 1"),
            "f.yaml:2: window: has no effect (used only with overlaps: true)");
}

TEST(Schema, AllowUnusedAcceptsAKeyWithoutEffect) {
  Config config = parse_config("{overlaps: false, window: 2}", "test.yaml");

  allow_unused(config);

  EXPECT_EQ(read_config<Transfers>(config).window, 2U);
}

TEST(Schema, ReferenceNamesTheSettingThatUsesAParameter) {
  EXPECT_EQ(schema_of(static_cast<Transfers*>(nullptr)).parameters().front().doc,
            "layers ahead (only with overlaps: true)");
}

TEST(Schema, ReferenceIsATable) {
  EXPECT_EQ(schema_of(static_cast<LinkParams*>(nullptr)).reference(),
            "link: connection between two nodes\n"
            "  key        type                          default   meaning\n"
            "  bandwidth  bandwidth (B/s), above 0 B/s  required  per direction, e.g. 25 GB/s\n"
            "  latency    time (s), at least 0 s        500 ns    time for the first byte\n");
}

TEST(Schema, DefaultsPrintAsTheyWouldBeWritten) {
  const std::vector<Parameter> rows = schema_of(static_cast<SystemParams*>(nullptr)).parameters();

  std::string defaults;
  for (const Parameter& row : rows) {
    defaults += row.key + "=" + row.default_value + ";";
  }

  EXPECT_EQ(defaults,
            "shape=ring;devices=8;links=[];memory=none;weights=[0.5, 1];wraps=true;"
            "name=none yet;extra=none;");
  EXPECT_EQ(rows[0].type, "ring | torus");
  EXPECT_EQ(rows[2].type, "list of link");
}

TEST(Schema, AWrittenStructReadsBack) {
  const LinkParams link{BytesPerSecond(2e9), Seconds(3e-9)};

  const std::string text = ConfigReader<LinkParams>::to_text(link);

  EXPECT_EQ(text, "{bandwidth: 2 GB/s, latency: 3 ns}");
  EXPECT_EQ(read<LinkParams>(text).latency, link.latency);
}

TEST(Schema, AWrongDeclarationIsABug) {
  Schema<LinkParams> schema("link");
  schema.optional("latency", &LinkParams::latency, "");
  Schema<SystemParams> system("system");
  system.optional("wraps", &SystemParams::wraps, "");

  EXPECT_THROW(schema.optional("latency", &LinkParams::latency, ""), Bug);
  EXPECT_THROW(schema.at_least(Bytes(1.0)), Bug);
  EXPECT_THROW(schema.at_least(1.0), Bug);
  EXPECT_THROW(system.positive(), Bug);
  EXPECT_THROW(system.whole(), Bug);
  EXPECT_THROW(Schema<LinkParams>("link").positive(), Bug);
  EXPECT_THROW(Schema<LinkParams>("link").used_if({}, ""), Bug);
}

}  // namespace
}  // namespace cairn
