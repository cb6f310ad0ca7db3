#!/usr/bin/python3
"""Everything listed runs: every preset, and every operation by every algorithm that supports it."""
import itertools
import re
import unittest

from program import CliTest

COUNTS = {"devices", "chunks", "events", "simulated_ranks", "members", "utilization"}  # numbers without a unit
UNITS = ("_s", "_B", "_Bps")
PLATFORMS = ("ring:6@25GB/s,500ns", "torus:4x2@200GB/s,25GB/s,72ns,402ns", "switch:8x2@50GB/s,1us",
             "mesh:3x3@10GB/s,1us", "dgx1v", "mc-dla-ring")


class EveryCollective(CliTest):
    def names(self, kind):
        return [item["name"] for item in self.succeed_json("list", kind)["items"]]

    def check(self, result):
        self.check_units(result, UNITS, COUNTS)
        time = result["time_s"]
        self.assertGreater(result["lower_bound_s"], 0.0)
        self.assertGreaterEqual(time, result["lower_bound_s"] * (1 - 1e-9))
        self.assertAlmostEqual(result["algorithm_bandwidth_Bps"] * time, result["size_B"], delta=1e-9 * result["size_B"])
        self.assertNotIn(result["bound_by"], ("", "nothing"))
        self.assertGreaterEqual(result["devices"], result["simulated_ranks"])
        for link in result["links"]:
            # What a link carried took at least carried / bandwidth.
            self.assertLessEqual(link["carried_B"], link["bandwidth_Bps"] * time * (1 + 1e-9), link["name"])

    def test_all_reduce_on_every_preset(self):
        presets = self.names("platforms")
        self.assertGreater(len(presets), 1)
        for preset in presets:
            for size in ("1 KiB", "100 MB"):
                with self.subTest(preset=preset, size=size):
                    result = self.succeed_json("collective", "--platform", preset, "--size", size)
                    self.check(result)
                    # NCCL's 2 (n - 1) / n for an all-reduce
                    factor = 2 * (result["devices"] - 1) / result["devices"]
                    self.assertAlmostEqual(result["bus_bandwidth_Bps"] / result["algorithm_bandwidth_Bps"], factor)

    def times(self, platform, op, algorithms):
        """{algorithm: time}, and the set of algorithms that a refusal names (None: nothing was refused)."""
        times, claimed = {}, None
        group = ("--group", "1,4") if op == "send_receive" else ()
        for algorithm in algorithms:
            arguments = ("collective", "--platform", platform, "--op", op, "--size", "4 MB", *group,
                         "--algorithm", algorithm)
            if self.run_here(*arguments).returncode == 0:
                result = self.succeed_json(*arguments)
                self.check(result)
                self.assertEqual(result["op"], op)
                if algorithm != "auto":
                    self.assertEqual(result["algorithm"], algorithm)
                times[algorithm] = result["time_s"]
            else:
                message = self.refuse(arguments, algorithm, op, code=3)
                names = set(re.search(r"\(use (.*?)\)", message).group(1).split(", "))
                self.assertEqual(names, claimed or names)
                claimed = names
        return times, claimed

    def test_every_operation_by_every_algorithm_that_supports_it(self):
        algorithms = self.names("algorithms")
        for platform, op in itertools.product(PLATFORMS, self.names("collectives")):
            with self.subTest(platform=platform, op=op):
                times, claimed = self.times(platform, op, algorithms)
                fastest = times.pop("auto")
                self.assertTrue(times)
                if claimed is not None:
                    self.assertEqual(times.keys(), claimed)
                self.assertLessEqual(fastest, 1.15 * min(times.values()))  # by estimate, which is farthest off on meshes


if __name__ == "__main__":
    unittest.main()
