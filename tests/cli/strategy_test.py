#!/usr/bin/python3
"""Every parallelism runs from the command line; invalid strategies are rejected by location."""
import json
import unittest

from program import CliTest

STRATEGIES = ("d8", "d4-p2", "model-4-d2-p1", "one_weird_trick-4-d2-p1", "hybrid-4-d2-p1", "RC-2-2-d2-p1",
              "RC-2-1-d2-p2", "CR-4-d1-p2", "CR-8-d1-p1")
DESIGN = """model: alexnet
device: mc-dla
platform: mesh:4x2@25GB/s,500ns
strategy:
  batch: 64
  micro_batches: 4
  spread: d2-p4
"""


class StrategyTest(CliTest):
    def setUp(self):
        super().setUp()
        self.write("d.yaml", DESIGN)

    def run_json(self, *settings, flags=()):
        return self.succeed_json("run", "d.yaml", *(part for text in settings for part in ("--set", text)), *flags)


class Answers(StrategyTest):
    def test_work_does_not_depend_on_the_strategy(self):
        per_sample = self.run_json("strategy.spread=d8", "strategy.micro_batches=1")["macs"] / 64
        for batch, micro_batches in ((8, 1), (12, 1), (60, 5)):
            result = self.run_json("strategy.spread=CR-2-d4-p1", f"strategy.batch={batch}", "strategy.batch_per=all",
                                   f"strategy.micro_batches={micro_batches}")
            self.assertAlmostEqual(result["macs"] / (batch * per_sample), 1.0)

    def test_one_shard_of_rows_and_columns_is_data_parallelism(self):
        model = "model={network: language_model, hidden: 256, vocabulary: 512, steps: 3}"
        for sync in ("every_step", "once"):
            times = [self.run_json(model, f"strategy.spread={spread}", "strategy.micro_batches=1",
                                   f"assumptions.recurrent_sync={sync}")["step_time_s"] for spread in ("d8", "RC-1-1-d8")]
            self.assertEqual(*times)

    def test_virtual_stages_shorten_the_bubble(self):
        plain = self.run_json("strategy.spread=d4-p2")
        interleaved = self.run_json("strategy.spread=d4-p2-v2")
        self.assertEqual((plain["virtual_stages"], interleaved["virtual_stages"]), (1, 2))
        self.assertEqual(len(interleaved["cuts"]), 3)
        self.assertLess(interleaved["breakdown"]["idle_s"], plain["breakdown"]["idle_s"])
        self.assertGreater(interleaved["peak_memory_B"], plain["peak_memory_B"])
        self.assertIn("2 stages of 2 virtual stages", self.succeed("run", "d.yaml", "--set", "strategy.spread=d4-p2-v2"))

    def test_every_notation(self):
        for spread in STRATEGIES:
            with self.subTest(spread=spread):
                result = self.run_json(f"strategy.spread={spread}")
                stages = int(spread.rpartition("-p")[2]) if "-p" in spread else 1
                self.assertEqual((result["devices"], result["batch"], result["stages"]), (8, 64, stages))
                self.assertIn(result["strategy"], (spread, "data"))
                self.assertEqual(sorted(set(result["class_stages"])), list(range(stages)))
                self.assertEqual(sum(result["simulated_classes"]), 8)
                parts = result["breakdown"]
                step = sum(parts[key] for key in ("compute_s", "communication_exposed_s", "memory_exposed_s", "idle_s"))
                self.assertAlmostEqual(step / result["step_time_s"], 1.0, delta=1e-9)

    def test_every_notation_of_the_same_strategy(self):
        given = self.run_json("strategy.spread=CR-2-d2-p2")
        self.write("map.yaml", DESIGN.replace("spread: d2-p4",
                                              "{parallelism: column_row, tensor_rows: 2, data: 2, stages: 2}"[1:-1].replace(
                                                  ", ", "\n  ")))
        as_written = {"name": given["name"], "design": given["design"]}  # which are not the same
        self.assertEqual({**self.succeed_json("run", "map.yaml"), **as_written}, given)
        plain = self.run_json("strategy=CR-2-d2-p2")
        self.assertEqual((plain["strategy"], plain["batch"]), (given["strategy"], 512))

    def test_folded_equals_unfolded(self):
        for spread in STRATEGIES:
            folded = self.run_json(f"strategy.spread={spread}")
            every = self.run_json(f"strategy.spread={spread}", flags=("--fold", "off"))
            self.assertEqual(len(every["simulated_classes"]), 8)
            self.assertAlmostEqual(folded["step_time_s"], every["step_time_s"], delta=1e-12 * every["events"])

    def test_a_given_placement(self):
        by_order = self.run_json("strategy.order=[pipeline, data]")
        # Stages along the first dimension, replicas along the second.
        by_list = self.run_json("strategy.placement=[0, 4, 1, 5, 2, 6, 3, 7]")
        self.assertEqual(by_order["step_time_s"], by_list["step_time_s"])
        best = self.run_json()
        self.assertLessEqual(best["breakdown"]["communication_s"], by_order["breakdown"]["communication_s"])

    def test_memory_can_be_ignored(self):
        fits = self.run_json()
        ignored = self.run_json("device.memory.capacity=100 MB", "memory.capacity=ignored")
        self.assertEqual(fits["overflow_B"], 0)
        self.assertAlmostEqual(ignored["overflow_B"], fits["peak_memory_B"] - 100e6)
        self.assertEqual(ignored["step_time_s"], fits["step_time_s"])
        arguments = ("run", "d.yaml", "--set", "device.memory.capacity=100 MB")
        self.assertRegex(self.succeed(*arguments, "--set", "memory.capacity=ignored"), r"\noverflow +\d")
        self.assertNotIn("overflow", self.succeed("run", "d.yaml"))
        message = self.refuse(arguments, "infeasible: device memory", "more than the 100 MB", code=3)
        self.assertIn("needed at", message)

    def test_a_trace_has_rows_for_each_channel(self):
        result = self.run_json(flags=("--trace", "t.json"))
        events = json.loads((self.folder / "t.json").read_text())["traceEvents"]
        named = {"process_name": {}, "thread_name": {}}
        for event in events:
            if event["name"] in named:
                named[event["name"]][event["pid"], event["tid"]] = event["args"]["name"]
        classes = len(result["simulated_classes"])
        for pid, stage in enumerate(result["class_stages"]):
            channels = {name for (process, tid), name in named["thread_name"].items() if process == pid and tid > 2}
            neighbours = {(stage + 1, stage), (stage, stage + 1), (stage - 1, stage), (stage, stage - 1)}
            self.assertEqual(channels, {f"collectives in stage {stage}"} | {
                f"from stage {a} to {b}" for a, b in neighbours if 0 <= min(a, b) and max(a, b) < result["stages"]})
            self.assertIn(f"stage {stage}", named["process_name"][pid, 0])
        ends = {}
        for span in sorted((event for event in events if event["ph"] == "X"), key=lambda event: event["ts"]):
            row = span["pid"], span["tid"]
            self.assertIn(row, named["thread_name"])
            if span["pid"] < classes:
                self.assertGreaterEqual(span["ts"], ends.get(row, 0.0) - 1e-6, f"{row}: {span['name']}")
                ends[row] = span["ts"] + span["dur"]
        self.assertEqual(len({event["pid"] for event in events if event["name"] == "memory in use"}), 1)

    def test_the_timeline_has_the_channel(self):
        spans = self.run_json(flags=("--detail",))["timeline"]
        channels = {span["channel"] for span in spans if span["kind"] == "collective"}
        self.assertIn("from stage 2 to 3", channels)
        self.assertIn("collectives in stage 0", channels)
        self.assertFalse([span for span in spans if span["kind"] != "collective" and "channel" in span])

    def test_list(self):
        text = self.succeed("list", "strategies")
        for name, form in (("data", "dD-pP"), ("model", "model-K1-dD-pP"),
                           ("one_weird_trick", "one_weird_trick-K1-dD-pP"),
                           ("hybrid", "hybrid-K1-dD-pP"), ("row_column", "RC-K1-K2-dD-pP"),
                           ("column_row", "CR-K1-dD-pP")):
            self.assertRegex(text, rf"(?m)^{name} ")
            self.assertIn(f"({form})", text)


class Refusals(StrategyTest):
    def refuse_line(self, line, *expected, code=2):
        self.write("bad.yaml", DESIGN.replace("spread: d2-p4", line))
        return self.refuse(["run", "bad.yaml"], *expected, code=code)

    def test_invalid_strategies_name_file_line_and_key(self):
        for text in ("RC-0-2", "RC-4", "CR-", "d0", "d8x", "RC-2-2-d2-", "rc-2-2", "\"\""):
            self.refuse_line(f"spread: {text}", "bad.yaml:7: strategy.spread: ", "expected e.g.")
        for text in ("RC-0-2", "nonsense"):
            self.write("text.yaml", f"model: alexnet\ndevice: mc-dla\nplatform: dc-dla\nstrategy: {text}\n")
            self.refuse(["run", "text.yaml"], "text.yaml:4: strategy: ")

    def test_shards_that_do_not_multiply_to_the_devices(self):
        for text in ("d3", "d8-p2", "RC-2-2-d4", "CR-16", "RC-16777216-16777216-d16777216-p16777216"):
            self.refuse_line(f"spread: {text}", "bad.yaml:4: strategy: ", "devices, the design has 8")

    def test_micro_batches_that_do_not_divide(self):
        self.refuse(["run", "d.yaml", "--set", "strategy.batch=66"],
                    "infeasible: micro_batches: 33 samples of each replica do not divide into 4 micro-batches (use 3 or 11) "
                    "(d.yaml:6: strategy.micro_batches)", code=3)
        self.refuse(["run", "d.yaml", "--set", "strategy.micro_batches=65"],
                    "infeasible: micro_batches: 32 samples of each replica do not divide into 65 micro-batches (use 32)",
                    "(--set: strategy.micro_batches)", code=3)
        self.refuse(["run", "d.yaml", "--set", "strategy.batch=1e30"], "--set: strategy.batch", "at most 1000000000")

    def test_repeated_settings(self):
        self.refuse_line("spread: d8\n  tensor_rows: 2", "bad.yaml:8: strategy.tensor_rows: ", "is already set by \"spread\"")
        self.refuse_line("order: [data, data]", "order: axis data is given twice", "bad.yaml:7: strategy.order", code=3)
        self.refuse_line("order: [data, tensor_rows, pipeline]\n  placement: [0, 1, 2, 3, 4, 5, 6, 7]", "placement: cannot be combined with order", code=3)

    def test_values_out_of_range(self):
        self.refuse_line("stages: 0", "bad.yaml:7: strategy.stages: ")
        self.refuse_line("parallelism: rows", "bad.yaml:7: strategy.parallelism: ")
        self.refuse_line("order: [x]", "bad.yaml:7: strategy.order[0]: ")
        self.refuse_line("placement: [0, 0, 1, 2, 3, 4, 5, 6]", "placement: device 0 has two shards", "bad.yaml:7: strategy.placement",
                         code=3)
        self.refuse_line("spread: d2-p4\n  pipeline: zigzag", "bad.yaml:8: strategy.pipeline: ")

    def test_empty_shards_and_impossible_stages(self):
        self.write("small.yaml", DESIGN.replace("spread: d2-p4", "spread: RC-8-1").replace("64", "16"))
        self.refuse(["run", "small.yaml"], "strategy: conv1: 4 samples < 8 shards", code=3)
        self.refuse(["run", "d.yaml", "--set", "platform=ring:32@25GB/s,1us", "--set", "strategy.spread=d1-p32"],
                    "alexnet has 8 layers, too few for 32 stages (use at most 8 stages)", code=3)
        self.refuse_line("spread: d4-p2\n  cuts: [fc99]", "no layer \"fc99\"", code=3)
        self.refuse_line("spread: d8\n  cuts: [fc6]", "1 cut makes 2 stages, the strategy has 1", code=3)


if __name__ == "__main__":
    unittest.main()
