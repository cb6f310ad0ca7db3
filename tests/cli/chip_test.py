#!/usr/bin/python3
"""`cairn chip` generates known chips, and explains infeasible ones."""
import unittest

from program import CliTest

GIBI = 1024.0 ** 3
KEYS = {"cores", "voltage_V", "frequency_Hz", "throughput_flops", "levels", "network", "budgets"}
COUNTS = {"cores", "mcus", "mcus_per_core", "utilization", "rows", "columns", "banks", "devices", "links",
          "intra_package", "inter_package"}
UNITS = ("_V", "_Hz", "_flops", "_B", "_Bps", "_s", "_J", "_W", "_m", "_m2", "_USD")
PUBLISHED = 1e-3  # relative: to how many digits figures are given
TEMPLATE = """chip_area: 100 mm2
package_area: 300 mm2
power: 100 W
core: {technology: scalar-n12, mcus_per_bundle: 4, area: 0.4, power: 0.4}
levels:
  - {name: sram, technology: sram-l2-n12, area: 0.2, power: 0.2}
main_memory: {technology: hbm2, area: 0.1, power: 0.3, perimeter: 0.4}
"""


class ChipTest(CliTest):
    def chip(self, *arguments):
        result = self.succeed_json("chip", *arguments)
        self.assertLessEqual(KEYS, result.keys())
        self.check_units(result, UNITS, COUNTS)
        for name, budget in result["budgets"].items():
            unit = {"area": "m2", "package_area": "m2", "power": "W", "perimeter": "m"}[name]
            self.assertLessEqual(budget[f"used_{unit}"], budget[f"given_{unit}"] * (1 + 1e-9), name)
        return result

    def expect(self, ours, published):
        self.assertAlmostEqual(ours / published, 1.0, delta=PUBLISHED)


class Answers(ChipTest):
    def test_v100(self):
        v100 = self.chip("v100")
        levels = {level["name"]: level for level in v100["levels"]}
        self.assertEqual((v100["mcus"], v100["cores"]), (643, 80))
        self.expect(v100["voltage_V"], 0.868)
        self.expect(v100["frequency_Hz"], 1.519e9)
        self.expect(v100["throughput_flops"], 125.0e12)
        self.assertEqual(levels["l2"]["capacity_B"], 6 * 1024 ** 2)
        self.expect(levels["main_memory"]["bandwidth_Bps"], 924.7 * GIBI)
        self.expect(v100["network"]["inter_package"]["bandwidth_Bps"], 48.06 * GIBI)
        self.assertIsNone(v100["network"]["intra_package"])

    def test_p4(self):
        p4 = self.chip("p4")
        self.assertEqual(p4["mcus"], 80)
        self.expect(p4["voltage_V"], 0.990)
        self.expect(p4["frequency_Hz"], 1.048e9)
        self.expect(p4["throughput_flops"], 5.364e12)
        self.expect(p4["levels"][-1]["bandwidth_Bps"], 177.3 * GIBI)

    def test_an_engine_is_in_the_budget(self):
        plain, ace = self.chip("v100"), self.chip("v100-ace")
        engine = ace["components"][-1]
        self.assertEqual(engine["name"], "engine")
        self.assertAlmostEqual(engine["area"]["used_m2"] * 1e6, 5.339, delta=0.001)
        self.assertAlmostEqual(engine["power"]["used_W"], 4.2545, delta=0.0001)
        for budget, unit in (("area", "m2"), ("power", "W")):
            used = sum(part[budget]["used_" + unit] for part in ace["components"] if not part["absent"])
            self.assertAlmostEqual(ace["budgets"][budget]["used_" + unit] / used, 1.0, delta=1e-9)
            self.assertEqual(ace["budgets"][budget]["given_" + unit], plain["budgets"][budget]["given_" + unit])
        self.assertLess(ace["throughput_flops"], plain["throughput_flops"])
        self.assertRegex(self.succeed("chip", "v100-ace"), r"engine +fixed parts +collectives +0\.7 +1\.4 +as written")
        self.refuse(("chip", "v100-ace", "--set", "fabric.engine.parts[0].count=1e6"), "area: the engine needs", code=3)
        self.refuse(("chip", "v100-ace", "--set", "fabric.engine.parts[0].count=0"), "--set: fabric.engine.parts[0].count", "at least 1")

    def test_every_bundled_chip(self):
        for item in self.succeed_json("list", "chips")["items"]:
            self.chip(item["name"])
            self.assertLessEqual(max(map(len, self.succeed("chip", item["name"]).splitlines())), 100)

    def test_every_technology_can_be_used(self):
        places = {"compute": "core.technology", "on-chip-memory": "levels[0].technology",
                  "off-chip-memory": "main_memory.technology", "links": "network.inter_package.technology",
                  "packages": "package", "scaling": "scaling"}
        shares = "network.inter_package={technology: pcb-serdes, area: 0.2, power: 0.1, perimeter: 0.5}"
        template = self.write("t.yaml", TEMPLATE.replace("300 mm2", "3 cm2").replace("100 mm2", "400 mm2"))
        names = set()
        for item in self.succeed_json("list", "technologies")["items"]:
            self.assertNotIn(item["name"], names)
            names.add(item["name"])
            with self.subTest(technology=item["name"]):
                area = "package_area=40 cm2" if item["category"] == "off-chip-memory" else "package_area=8 cm2"
                use = f"{places[item['category']]}={item['name']}"
                self.chip(template, "--set", shares, "--set", area, "--set", use)

    def test_a_user_defined_component(self):
        self.write("faster.yaml", "source: me\nnode: 12 nm\narea: 0.01 mm2\npower: 4 mW\nwork_per_cycle: 4 flop\n"
                                  "frequency: 2 GHz\nvoltage: {nominal: 0.8 V, threshold: 0.2 V, minimum: 0.5 V, "
                                  "maximum: 0.8 V}\n")
        self.write("t.yaml", TEMPLATE.replace("scalar-n12", "./faster.yaml"))
        self.assertEqual(self.chip("t.yaml")["mcus"], 4000)
        (self.folder / "tech/compute").mkdir(parents=True)
        (self.folder / "faster.yaml").rename(self.folder / "tech/compute/faster.yaml")
        self.write("t.yaml", TEMPLATE.replace("scalar-n12", "faster"))
        own = {"CAIRN_DATA": str(self.folder)}
        self.assertEqual(self.succeed_json("chip", "t.yaml", env=own)["mcus"], 4000)
        self.assertIn("faster", self.succeed("list", "technologies", env=own))

    def test_settings(self):
        v100 = self.chip("v100")
        self.assertGreater(self.chip("v100", "--set", "node=7 nm")["mcus"], 1.7 * v100["mcus"])
        self.assertGreater(self.chip("v100", "--set", "core.technology.power=0.1 W")["frequency_Hz"],
                           v100["frequency_Hz"])

    def test_text_has_the_main_results(self):
        text = self.succeed("chip", "v100")
        for word in ("throughput", "cores", "643 MCUs", "limited by", "minimum voltage", "absent", "cost"):
            self.assertIn(word, text)

    def test_counts_beyond_2_to_the_53_are_printed(self):
        huge = self.chip("p4", "--set", "chip_area=1e24 mm2", "--set", "package_area=2e24 mm2", "--set", "power=1e20 W")
        self.assertGreater(huge["mcus"], 2.0 ** 63)

    def test_same_input_same_bytes(self):
        self.assertEqual(self.succeed("chip", "v100", "--json"), self.succeed("chip", "v100", "--json"))


class Refusals(ChipTest):
    def refuse_template(self, old, new, *expected, code=2):
        self.assertIn(old, TEMPLATE)
        self.refuse(["chip", self.write("t.yaml", TEMPLATE.replace(old, new, 1))], *expected, code=code)

    def test_shares_above_100_percent(self):
        self.refuse_template("area: 0.2", "area: 0.7", "t.yaml:6: levels[0].area", "1.1", "at most 1")
        self.refuse_template("power: 0.3", "power: 0.5", "t.yaml:7: main_memory.power", "1.1")
        self.refuse_template("perimeter: 0.4", "perimeter: 1.4", "t.yaml:7: main_memory.perimeter")
        self.refuse(["chip", "v100", "--set", "core.area=0.9"], "area", "at most 1")

    def test_a_component_without_budget_is_named(self):
        self.refuse_template("area: 0.4", "area: 0", "infeasible: core: ", "no share of area", "t.yaml:4: core", code=3)
        self.refuse_template("power: 0.2", "power: 0", "infeasible: sram: ", "no share of power", "t.yaml:", code=3)
        self.refuse_template("perimeter: 0.4", "perimeter: 0", "infeasible: main_memory: ", "no share of perimeter", code=3)
        self.refuse_template("area: 0.1", "area: 1e-9", "infeasible: main_memory: ", "not enough area", code=3)
        self.refuse_template("package_area: 300", "package_area: 50", "infeasible: package area: ", code=3)

    def test_a_voltage_below_the_threshold(self):
        for key in ("minimum", "nominal"):
            self.refuse(["chip", "v100", "--set", f"core.technology.voltage.{key}=0.1 V"],
                        f"core.technology.voltage.{key}", "threshold")

    def test_unknown_names_and_keys_suggest_the_nearest(self):
        self.refuse(["chip", "v10"], "TEMPLATE", "v100")
        self.refuse_template("scalar-n12", "scalar-n21", "t.yaml:4: core.technology", "scalar-n12")
        self.refuse_template("hbm2", "hbm22", "t.yaml:7: main_memory.technology", "hbm2")
        self.refuse_template("levels", "level", "t.yaml:5: level", "levels")
        self.refuse_template("mcus_per_bundle", "mcus_per_bundel", "t.yaml:4: core.mcus_per_bundel", "mcus_per_bundle")
        self.refuse_template("power: 100 W", "power: 100", "t.yaml:3: power", "700 W")
        self.refuse_template("power: 100 W\n", "", "power", "missing")
        self.refuse(["chip", "v100", "--set", "node=6 nm"], "node", "7 nm")
        for number in ("2.5", "0", "-8", "many"):
            self.refuse(["chip", "v100", "--set", f"core.mcus_per_bundle={number}"], "core.mcus_per_bundle", number)
        self.refuse(["chip", "v100", "--set", "scaling=moore", "--set", "node=7 nm"], "scaling", "crossflow")
        self.refuse(["chip", "v100", "--set", "scaling=moore"], "scaling", "crossflow")
        self.refuse(["chip", "v100", "--set", "core.technology.precision=fp7"], "core.technology.precision", "fp8")

    def test_flags(self):
        self.refuse(["chip"], "TEMPLATE", "see cairn chip --help")
        self.refuse(["chip", "v100", "--dot"], "--dot")
        self.refuse(["chip", "v100", "--set", "core"], "=")
        self.refuse(["chip", "none.yaml"], "none.yaml")


if __name__ == "__main__":
    unittest.main()
