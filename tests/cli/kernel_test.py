#!/usr/bin/python3
"""`cairn kernel` predicts the time of an operator, and rejects invalid operators."""
import unittest

from program import CliTest

KEYS = {"time_s", "flops", "bound_by", "tiling", "traffic"}
COUNTS = {"tiling", "flops", "utilization", "error_bar", "kernels", "tile_rows", "tile_columns", "splits", "block_rows",
          "block_columns", "held_rows", "held_columns"}
GEMM = ("gemm", "--device", "h200", "--m", "4096", "--n", "4096", "--k", "4096", "--precision", "bf16")
MAP = "{channels: 16, height: 8, width: 8}"
WORDS = "{channels: 16, steps: 8, together: true}"
OF_WORDS = {"attention", "layer_norm", "cross_entropy", "positions"}
LAYERS = {"attention": "{heads: 2}", "convolution": "{channels: 8, kernel: 3}", "fully_connected": "{features: 10}",
          "rnn": "{hidden: 32}",
          "lstm": "{hidden: 32}", "gru": "{hidden: 32}", "embedding": "{rows: 100, width: 8}"}


class KernelTest(CliTest):
    def kernel(self, *arguments):
        result = self.succeed_json("kernel", *arguments)
        self.assertLessEqual(KEYS, result.keys())
        self.check_units(result, ("_s", "_B"), COUNTS)
        for level in result["traffic"]:
            self.assertLessEqual(level["time_s"], result["time_s"] * (1 + 1e-12))
        return result


class Answers(KernelTest):
    def test_gemm(self):
        result = self.kernel(*GEMM)
        self.assertEqual(result["flops"], 2 * 4096 ** 3)
        self.assertEqual([level["name"] for level in result["traffic"]], ["register", "shared", "l2", "memory"])
        # Above the peak's time, and not twice of it.
        at_peak = result["flops"] / 989.4e12
        self.assertTrue(at_peak < result["time_s"] < 2 * at_peak)
        self.assertEqual(result["bound_by"], "compute")
        self.assertAlmostEqual(result["utilization"], at_peak / result["time_s"], delta=1e-3)

    def test_text(self):
        text = self.succeed("kernel", *GEMM)
        self.assertIn("bound by             compute", text)
        self.assertIn("l2 ", text)

    def test_the_order_of_dimension_keys_does_not_matter(self):
        times = [self.kernel(*GEMM, "--set", f"tiles.sides={sides}")["time_s"]
                 for sides in ("[64, 128, 192, 256]", "[64, 256, 128, 192]", "[256, 192, 192, 128, 64]")]
        self.assertEqual(times, times[:1] * 3)

    def test_settings_change_the_device(self):
        slow = self.kernel(*GEMM, "--set", "memory.bandwidth=10 GB/s", "--set", "memory.utilization=0.82")
        self.assertEqual(slow["bound_by"], "memory bandwidth")
        memory = slow["traffic"][-1]
        self.assertAlmostEqual(memory["time_s"], memory["moved_B"] / (0.82 * 10e9))
        generated = self.kernel("gemm", "--device", "chip:v100", "--m", "64", "--n", "64", "--k", "64",
                                "--set", "template.core.technology.utilization=0.5", "--set", "launch=5 us")
        self.assertGreater(generated["time_s"], 5e-6)

    def test_every_operator_on_every_device(self):
        devices = [item["name"] for item in self.succeed_json("list", "devices")["items"]]
        precisions = {"k40": "fp32", "m40": "fp32", "p4": "fp32", "tpuv2": "bf16"}
        operators = [item["name"] for item in self.succeed_json("list", "operators")["items"]]
        self.assertIn("gemm", operators)
        for device in devices + ["chip:v100"]:
            for op in operators:
                with self.subTest(device=device, op=op):
                    shape = ("--m", "300", "--n", "20", "--k", "70") if op == "gemm" else \
                        ("--batch", "4", "--input", WORDS if op in OF_WORDS else MAP, "--layer", LAYERS.get(op, "{}"))
                    result = self.kernel(op, "--device", device, "--precision", precisions.get(device, "fp16"), *shape)
                    self.assertGreater(result["time_s"], 0)
                    self.assertGreater(result["traffic"][-1]["moved_B"], 0)

    def test_passes(self):
        shape = ("convolution", "--device", "a100", "--batch", "8", "--input", MAP, "--layer", "{channels: 8, kernel: 3}")
        flops = {name: self.kernel(*shape, "--pass", name)["flops"]
                 for name in ("forward", "data_gradient", "weight_gradient")}
        self.assertEqual(len(set(flops.values())), 1, flops)
        self.assertGreater(self.kernel(*shape, "--pass", "update")["time_s"], 0)

    def test_steps_of_a_recurrent_layer_are_kernels(self):
        result = self.kernel("lstm", "--device", "a100", "--input", "{channels: 8, steps: 5}", "--layer", "{hidden: 16}")
        self.assertEqual(result["kernels"], 5)


class Refusals(KernelTest):
    def test_missing_and_unknown_arguments(self):
        for arguments, *expected in (
                (("kernel",), "OP", "missing"),
                (("kernel", "gemm"), "--device", "missing"),
                (("kernel", "gem", "--device", "h200"), "OP", "gemm"),
                (("kernel", "gemm", "--device", "h201", "--m", "1", "--n", "1", "--k", "1"), "--device", "h200"),
                (("kernel", "gemm", "--device", "h200", "--m", "1", "--n", "1"), "--k", "missing"),
                (("kernel", "gemm", "--device", "h200", "--m", "0", "--n", "1", "--k", "1"), "--m", "\"0\""),
                (("kernel", "gemm", "--device", "h200", "--m", "1.5", "--n", "1", "--k", "1"), "--m"),
                ((*("kernel", *GEMM), "--input", MAP), "--input", "applies to layers only"),
                ((*("kernel", *GEMM), "--set", "memory.bandwith=1 GB/s"), "--set", "bandwidth"),
                ((*("kernel", *GEMM), "--set", "levels[0].scope=global"), "levels[1]", "innermost"),
                (("kernel", "relu", "--device", "h200"), "--input", "missing"),
                (("kernel", "relu", "--device", "h200", "--input", MAP, "--m", "3"), "--m", "applies to gemm only"),
                (("kernel", "relu", "--device", "h200", "--input", "{chanels: 3}"), "--input", "channels"),
                (("kernel", "relu", "--device", "h200", "--input", MAP, "--pass", "update"), "--pass", "no update"),
                (("kernel", "relu", "--device", "h200", "--input", MAP, "--pass", "back"), "--pass"),
                (("kernel", "convolution", "--device", "h200", "--input", MAP), "--layer", "channels"),
                (("kernel", "convolution", "--device", "h200", "--input", MAP, "--layer", "{channels: 3, kernel: 99}"),
                 "--layer"),
                (("kernel", *GEMM[:-1], "fp7"), "--precision", "fp7")):
            with self.subTest(arguments=arguments):
                self.refuse(arguments, *expected)

    def test_sizes_out_of_range(self):
        self.refuse(["kernel", *GEMM, "--set", "tiles.sides=[1e30]"], "tiles.sides[0]", "at most 65536")
        self.refuse(["kernel", "convolution", "--device", "h200", "--input", "{channels: 1e30}", "--layer", "{channels: 8}"],
                    "--input:1: channels", "at most")
        self.refuse(["kernel", "convolution", "--device", "h200", "--input", "{channels: 1.5}", "--layer", "{channels: 8}"],
                    "--input:1: channels", "not a whole number")

    def test_a_precision_that_the_device_does_not_have(self):
        self.refuse(("kernel", "gemm", "--device", "v100", "--precision", "bf16", "--m", "1", "--n", "1", "--k", "1"),
                    "infeasible: precision: v100 does not compute in bf16", code=3)


if __name__ == "__main__":
    unittest.main()
