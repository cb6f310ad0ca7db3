#!/usr/bin/python3
"""Do the workloads of the ACE paper run on its platforms, and exchange what their formulas say, when they say?"""
import unittest

from program import CliTest

DEVICES = 64
FP16 = 2
TABLES, DIM, BATCH = 128, 64, 512
SMALL = """model: {network: dlrm, tables: 16, rows: 1000, dim: 8, lookups: 3, dense: 16, bottom: [32], top: [64]}
device: ace-npu
platform: switch:8@100GB/s,500ns
strategy: {parallelism: hybrid, batch: 32, batch_per: device, precision: fp16}
"""
SMALL_LAYERS = 16 * 32 + 32 * 8 + (8 + 17 * 16 // 2) * 64 + 64


def sizes(result, op):
    return [each["size_B"] for each in result["collectives"] if each["op"] == op for _ in range(each["count"])]


class Workloads(CliTest):
    def step(self, design, *settings):
        return self.succeed_json("run", design, *(part for text in settings for part in ("--set", text)), "--detail")

    def span(self, result, name):
        return next(each for each in result["timeline"] if each["name"] == name)

    # 53 convolutions and a layer, 25.5 M weights; normalizations have none unless they are affine.
    def test_resnet_50_all_reduces_gradients_per_layer(self):
        result = self.step("resnet-50-on-ace")
        self.assertEqual((result["devices"], result["batch"]), (DEVICES, 32 * DEVICES))
        self.assertEqual(len(sizes(result, "all_reduce")), 54)
        self.assertEqual(sum(sizes(result, "all_reduce")), FP16 * 25502912)
        affine = self.step("resnet-50-on-ace", "model.affine=true")
        self.assertEqual(len(sizes(affine, "all_reduce")), 54 + 53)
        self.assertEqual(sum(sizes(affine, "all_reduce")), FP16 * (25557032 - 1000))
        forward = sum(each["macs"] for each in result["operators"] if each["pass"] == "forward") / 32
        self.assertTrue(3.86e9 <= forward <= 4.1e9, forward)

    def test_gnmt_all_reduces_all_gradients_once(self):
        for kernels in ("by_layer", "by_step"):
            result = self.step("gnmt-on-ace", f"model.recurrent_kernels={kernels}", "assumptions.recurrent_sync=once")
            self.assertEqual(sum(sizes(result, "all_reduce")), FP16 * 276562944)
            self.assertEqual(result["batch"], 128 * DEVICES)

    def test_dlrm_exchanges_looked_up_rows_and_their_gradients(self):
        result = self.step("dlrm-on-ace")
        self.assertEqual(result["batch"], BATCH * DEVICES)
        self.assertEqual(sizes(result, "all_to_all"), 2 * [BATCH * TABLES * DIM * FP16])
        self.assertAlmostEqual(sum(sizes(result, "all_reduce")) / FP16, 27.33e6, delta=0.01e6)

    # Begins when the tables are looked up, and only the interaction waits for it; backward, it is ready to go when the
    # interaction is done, before the bottom layers are, and only the tables wait.
    def test_dlrm_overlaps_exchanges_with_its_bottom_layers(self):
        result = self.step("dlrm-on-ace")
        there = self.span(result, "all_to_all of tables")
        self.assertEqual(there["begin_s"], self.span(result, "tables (forward)")["end_s"])
        self.assertLess(self.span(result, "bottom0 (forward)")["begin_s"], there["end_s"])
        self.assertGreaterEqual(self.span(result, "vectors (forward)")["begin_s"], there["end_s"])
        back = self.span(result, "all_to_all of dtables")
        self.assertLessEqual(back["submitted_s"], back["begin_s"])
        self.assertLess(self.span(result, "vectors (data gradient)")["end_s"],
                        self.span(result, "bottom4 (data gradient)")["begin_s"])
        self.assertGreaterEqual(self.span(result, "tables (update)")["begin_s"], back["end_s"])
        self.assertGreaterEqual(self.span(result, "tables (update)")["begin_s"],
                                self.span(result, "bottom0 (weight gradient)")["end_s"])

    # Of each all-to-all b M d (n-1)/n elements leave a device, of each all-reduce 2 W (n-1)/n.
    def test_bytes_sent_per_device(self):
        self.write("d.yaml", SMALL)
        result = self.step("d.yaml", "strategy.bucket=1GB")
        sent = max(link["carried_B"] for link in result["links"] if link["kind"] == "link")
        expected = FP16 * (2 * 32 * 16 * 8 + 2 * SMALL_LAYERS) * 7 / 8
        self.assertAlmostEqual(sent / expected, 1.0, delta=1e-6)

    def test_data_parallel_tables(self):
        self.write("d.yaml", SMALL.replace("parallelism: hybrid", "parallelism: data"))
        result = self.step("d.yaml")
        self.assertEqual(sizes(result, "all_to_all"), [])
        self.assertEqual(sorted(sizes(result, "all_gather")), [8 * 32 * 16 * 8 * FP16, 8 * 32 * 16 * 3 * 8])

    def test_fewer_tables_than_devices(self):
        self.write("d.yaml", SMALL.replace("tables: 16", "tables: 6"))
        self.refuse(["run", "d.yaml"], "tables: 6 tables < 8 shards", code=3)

    # All devices have the same layers, though each has tables of its own.
    def test_dlrm_shards_its_updates(self):
        self.write("small.yaml", SMALL)
        whole = self.step("small.yaml")
        parts = self.step("small.yaml", "strategy.zero=1")
        self.assertEqual(sum(sizes(whole, "all_reduce")), FP16 * SMALL_LAYERS)
        self.assertEqual(sizes(parts, "all_reduce"), [])
        for op in ("reduce_scatter", "all_gather"):
            self.assertEqual(sum(sizes(parts, op)), FP16 * SMALL_LAYERS)

    def test_invalid_sharded_updates_are_rejected(self):
        self.write("small.yaml", SMALL)
        self.refuse(["run", "small.yaml", "--set", "strategy.zero=1", "--set", "training.updates=before_use",
                     "--set", "steps=2"],
                    "infeasible: zero: ", "at_end", code=3)
        self.refuse(["run", "gnmt-on-ace", "--set", "strategy.zero=1", "--set", "model.recurrent_kernels=by_step",
                     "--set", "assumptions.recurrent_sync=every_step"], "infeasible: zero: ", "recurrent_sync: once", code=3)

    # Backward it has the links as soon as it can begin, whatever gradients are being summed.
    def test_dlrm_exchanges_precede_gradient_all_reduce(self):
        result = self.step("dlrm-on-ace")
        back = self.span(result, "all_to_all of dtables")
        there = self.span(result, "all_to_all of tables")
        self.assertEqual(back["begin_s"], self.span(result, "vectors (data gradient)")["end_s"])
        self.assertAlmostEqual(back["end_s"] - back["begin_s"], there["end_s"] - there["begin_s"], delta=1e-8)

    # In the background neither the exchange nor the update waits for this step's.
    def test_tables_in_the_background(self):
        self.write("d.yaml", SMALL)
        in_turn = self.step("d.yaml")
        result = self.step("d.yaml", "training.tables=background")
        look_up, update = self.span(result, "tables (forward)"), self.span(result, "tables (update)")
        self.assertEqual(look_up["begin_s"], 0.0)
        self.assertEqual(self.span(result, "all_to_all of tables")["begin_s"], look_up["end_s"])
        self.assertEqual(update["begin_s"], look_up["end_s"])
        self.assertEqual(self.span(result, "bottom0 (forward)")["begin_s"], 0.0)
        self.assertEqual(result["macs"], in_turn["macs"])
        self.assertEqual(result["collectives"], in_turn["collectives"])
        self.assertLessEqual(result["step_time_s"], in_turn["step_time_s"])

    # One core and 80 GB/s, unless it says otherwise: of b n samples, M / n tables and P rows, b M P d elements each way.
    def test_background_tables_in_the_result(self):
        for lookups, step in ((20, "background kernels"), (2, None)):
            result = self.step("dlrm-on-ace", "training.tables=background", f"model.lookups={lookups}")
            background = result["background"]
            self.assertEqual((background["sms"], background["memory_Bps"]), (1, 80e9))
            self.assertEqual(background["what"], ["tables (forward)", "all_to_all of tables", "tables (update)"])
            spans = [each for each in result["timeline"] if each["kind"] == "background"]
            self.assertAlmostEqual(sum(each["end_s"] - each["begin_s"] for each in spans), background["time_s"], delta=1e-9)
            self.assertEqual(result["activities"]["background"]["count"], 2)
            self.assertGreaterEqual(background["memory_B"], 3 * BATCH * TABLES * lookups * DIM * FP16)
            self.assertGreaterEqual(background["time_s"], background["memory_B"] / 80e9)
            self.assertEqual(result["bound_by"] == "background kernels", step is not None)
            self.assertEqual(background["exposed_s"] > 0, step is not None)
        text = self.succeed("run", "dlrm-on-ace", "--set", "training.tables=background")
        self.assertIn("on 1 core and 80 GB/s of memory reserved for it", text)
        self.assertIn("tables (forward), all_to_all of tables, tables (update)", text)
        more = self.step("dlrm-on-ace", "training.tables=background", "launch.background.sms=4",
                         "launch.background.memory=320GB/s")
        self.assertAlmostEqual(more["background"]["time_s"] * 320, more["background"]["memory_B"] / 1e9, delta=0.01)

    def test_invalid_background_tables(self):
        self.refuse(["run", "resnet-50-on-ace", "--set", "training.tables=background"],
                    "has no embedding bags", code=3)
        self.write("d.yaml", SMALL + "training: {tables: background}\nlaunch: {background: {sms: 80}}\n")
        self.refuse(["run", "d.yaml"], 'd.yaml:6: launch.background.sms: "80" leaves no core of ace-npu')
        self.write("d.yaml", SMALL + "training: {tables: background}\n"
                   "endpoint: {executor: cores, sharing: reserved, sms: 4, memory: 820 GB/s}\n")
        self.refuse(["run", "d.yaml"], 'd.yaml:5: training.tables: "background" leaves no memory bandwidth of ace-npu')


if __name__ == "__main__":
    unittest.main()
