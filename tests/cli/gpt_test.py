#!/usr/bin/python3
"""A GPT runs from the command line with every parallelism; invalid input is rejected by location."""
import unittest

from program import CliTest

DESIGN = """model:
  network: gpt
  layers: 4
  hidden: 96
  heads: 8
  vocab: 512
  seq: 64
device: h200
platform: dgx-h100
strategy:
  batch: 64
  precision: bf16
  spread: d8
"""
LAYERS = """input: {channels: 1, steps: 64, together: true}
layers:
  - {type: embedding, rows: 512, width: 96}
  - {type: positions}
  - {type: layer_norm, name: n}
  - {type: fully_connected, features: 288, bias: true}
  - {type: attention, heads: 8, causal: true}
  - {type: gelu}
  - {type: add, from: [n, previous]}
  - {type: fully_connected, features: 512}
  - {type: cross_entropy}
"""


class GptTest(CliTest):
    def setUp(self):
        super().setUp()
        self.write("d.yaml", DESIGN)

    def run_json(self, *settings):
        return self.succeed_json("run", "d.yaml", *(part for text in settings for part in ("--set", text)))


class Answers(GptTest):
    def test_every_parallelism(self):
        for spread in ("d8", "d2-p4", "model-8-d1-p1", "model-2-d2-p2", "one_weird_trick-4-d2-p1", "RC-2-2-d2-p1",
                       "RC-2-2-d1-p2", "CR-8-d1-p1", "CR-2-d2-p2", "tensor-8-d1-p1", "tensor-2-d2-p2"):
            with self.subTest(spread=spread):
                result = self.run_json(f"strategy.spread={spread}", "strategy.micro_batches=2")
                self.assertEqual(result["devices"], 8)
                self.assertLess(0.0, result["step_time_s"])

    def test_on_one_device(self):
        result = self.succeed_json("run", "gpt-on-h200")
        self.assertEqual((result["devices"], result["batch"]), (1, 8))
        products = 12 * (12 * 768 ** 2 + 768 * 1024) + 768 * 50304
        attention = 12 * 768 * 1024
        self.assertAlmostEqual(result["macs"] / (8 * 1024 * (3 * (products - attention) + 3.5 * attention)), 1.0)

    def test_megatron(self):
        result = self.succeed_json("run", "gpt-on-dgx-a100")
        self.assertEqual((result["devices"], result["batch"]), (8, 64))
        kept = self.succeed_json("run", "gpt-on-dgx-a100", "--set", "training.checkpoints=none")
        self.assertEqual(kept["macs"], result["macs"])
        self.assertAlmostEqual(result["breakdown"]["compute_s"] / kept["breakdown"]["compute_s"], 4 / 3, delta=0.06)
        self.assertLess(result["peak_memory_B"], kept["peak_memory_B"])
        self.assertEqual(kept["recomputed_B"], 0.0)
        text = self.succeed("run", "gpt-on-dgx-a100")
        self.assertRegex(text, r"(?m)^recomputed .* from activation checkpoints$")
        self.assertNotIn("instead of offloading", text)

    def test_pipeline_stages_begin_at_block_boundaries(self):
        result = self.run_json("strategy.spread=d2-p4")
        self.assertEqual(len(result["cuts"]), 3)
        for cut in result["cuts"]:
            self.assertRegex(cut, r"^(block\d\.norm1|norm|head)$")
        text = self.succeed("run", "d.yaml", "--set", "strategy.spread=d2-p4")
        self.assertIn("4 stages", text)
        self.assertIn("cut before " + result["cuts"][0], text)
        self.assertEqual(self.run_json("strategy.spread=d8")["cuts"], [])

    def test_optimizer_states_take_memory(self):
        weights = 8 * self.run_json("training.optimizer=sgd")["peak_memory_B"]
        adam = 8 * self.run_json("training.optimizer=adam")["peak_memory_B"]
        parameters = 4 * (12 * 96 ** 2 + 9 * 96 + 4 * 96) + 2 * 512 * 96 + 64 * 96 + 2 * 96
        self.assertAlmostEqual(adam - weights, 8 * parameters * 8)

    def test_a_slow_host(self):
        result = self.run_json("launch={issue: 1 ms}")
        self.assertEqual(result["bound_by"], "idle (kernel launch by the host)")
        self.assertGreater(result["step_time_s"], 0.05)

    def test_layer_by_layer(self):
        self.write("m.yaml", LAYERS)
        self.assertLess(0.0, self.run_json("model=m.yaml")["step_time_s"])

    def test_one_kernel(self):
        asked = ["kernel", "attention", "--device", "h200", "--precision", "bf16", "--batch", "4", "--input",
                 "{channels: 2048, steps: 1024, together: true}", "--layer"]
        whole = self.succeed_json(*asked, "{heads: 16}")
        causal = self.succeed_json(*asked, "{heads: 16, causal: true}")
        backward = self.succeed_json(*asked, "{heads: 16}", "--pass", "data_gradient")
        self.assertEqual(whole["kernels"], 1)
        self.assertEqual(causal["flops"], whole["flops"] / 2)
        self.assertLess(causal["time_s"], whole["time_s"])
        self.assertLess(whole["time_s"], backward["time_s"])
        self.assertGreater(whole["tiling"]["tile_rows"], 0)


class Refusals(GptTest):
    def refuse_model(self, old, new, *expected):
        self.write("d.yaml", DESIGN.replace(old, new))
        self.refuse(["run", "d.yaml"], *expected)

    def test_sizes(self):
        for line, key in ((3, "layers"), (4, "hidden"), (5, "heads"), (6, "vocab"), (7, "seq")):
            written = next(text for text in DESIGN.splitlines() if text.startswith(f"  {key}:"))
            for value in ("0", "-1", "x", "1 MB"):
                self.refuse_model(written, f"  {key}: {value}", f"d.yaml:{line}: model.{key}", value)

    def test_heads_that_do_not_divide(self):
        self.refuse_model("heads: 8", "heads: 7", "d.yaml:5: model.heads", "7 attention heads do not divide hidden size 96")
        self.refuse_model("  hidden: 96\n  heads: 8\n", "  hidden: 97\n", "d.yaml:4: model.hidden", "12 attention heads do not divide hidden size 97")

    def test_unknown_keys_with_the_nearest(self):
        self.refuse_model("seq:", "sqe:", "d.yaml:7: model.sqe", "seq")

    def test_layers(self):
        for old, new, line, expected in (
                ("heads: 8", "heads: 7", 7, "7 attention heads do not divide 96 features"),
                ("heads: 8", "heads: 0", 7, "heads"),
                ("features: 288", "features: 289", 7, "heads"),
                ("steps: 64", "steps: 0", 1, "steps"),
                (", together: true", "", 4, "together"),
                ("type: attention, ", "type: attention, from: [n, previous], ", 7, "2 inputs"),
                ("causal: true", "casual: true", 7, "causal")):
            with self.subTest(new=new):
                self.write("m.yaml", LAYERS.replace(old, new, 1))
                self.refuse(["run", "d.yaml", "--set", "model=m.yaml"], f"m.yaml:{line}: ", expected)

    def test_training(self):
        self.refuse(["run", "d.yaml", "--set", "training={optimizer: adem}"], "training.optimizer", "adam")
        self.refuse(["run", "d.yaml", "--set", "launch={issue: -1 us}"], "launch.issue")
        self.write("m.yaml", LAYERS)
        self.refuse(["run", "d.yaml", "--set", "model=m.yaml", "--set", "training={checkpoints: blocks}"],
                    "infeasible: checkpoints: ", "has no repeated blocks", code=3)

    def test_more_shards_than_heads(self):
        self.refuse(["run", "d.yaml", "--set", "strategy.spread=model-8-d1-p1", "--set", "model.heads=4"],
                    "infeasible: strategy: block0.attention: 4 heads < 8 tensor shards", code=3)

    def test_a_table_cannot_be_sharded_in_two_ways(self):
        self.refuse(["run", "d.yaml", "--set", "strategy.spread=model-8-d1-p1", "--set", "model.tied=true"],
                    "infeasible: strategy: embedding shares embedding.weight", code=3)


if __name__ == "__main__":
    unittest.main()
