#!/usr/bin/python3
"""`cairn sensitivity`: the effect of each parameter of a design, and invalid input."""
import unittest

from program import CliTest

DESIGN = "{model: alexnet, device: mc-dla, platform: 'switch:4@1MB/s', strategy: {batch: 256}}\n"


class Sensitivity(CliTest):
    def design(self, text=DESIGN):
        return self.write("design.yaml", text)

    def test_slow_links_dominate(self):
        found = self.succeed_json("sensitivity", self.design())
        first = found["elasticities"][0]
        self.assertEqual(first["parameter"], "platform.bandwidth")
        self.assertAlmostEqual(first["value"], -1.0, delta=0.01)
        self.assertEqual(first["relieves"], "communication")
        self.assertIn("platform.devices", found["cannot_change"])

    def test_a_large_change_matches_cairn_run(self):
        found = self.succeed_json("sensitivity", self.design(), "--to", "4x")
        bandwidth = next(e for e in found["elasticities"] if e["parameter"] == "platform.bandwidth")
        step = self.succeed_json("run", self.design(), "--set", "platform.bandwidth=4 MB/s")
        self.assertAlmostEqual(bandwidth["step_time_ratio"] * found["step_time_s"], step["step_time_s"], delta=1e-9 * step["step_time_s"])

    def test_threads_do_not_matter(self):
        one, two = (self.succeed_json("sensitivity", self.design(), "--threads", threads) for threads in ("1", "2"))
        self.assertEqual(one, two)
        self.refuse(("sensitivity", self.design(), "--threads", "9999999"), '--threads: "9999999" is out of range', code=2)

    def test_text_fits_a_terminal(self):
        text = self.succeed("sensitivity", "language-model-on-512-v100")
        self.assertLessEqual(max(map(len, text.splitlines())), 100)
        self.assertIn("device.template.power", text)

    def test_errors_name_the_flag(self):
        for factor in ("1x", "0", "fast", "-2", "2 GB/s"):
            self.refuse(("sensitivity", self.design(), "--to", factor), "--to", factor)
        self.refuse(("sensitivity",), "DESIGN")
        self.refuse(("sensitivity", "nothing-of-that-name"), "nothing-of-that-name")
        self.refuse(("sensitivity", self.design(DESIGN.replace("256", "100000000"))), "device memory", code=3)


if __name__ == "__main__":
    unittest.main()
