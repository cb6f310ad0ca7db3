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
    def test_resnet_50_sums_the_gradient_of_each_layer(self):
        result = self.step("resnet-50-on-ace")
        self.assertEqual((result["devices"], result["batch"]), (DEVICES, 32 * DEVICES))
        self.assertEqual(len(sizes(result, "all_reduce")), 54)
        self.assertEqual(sum(sizes(result, "all_reduce")), FP16 * 25502912)
        affine = self.step("resnet-50-on-ace", "model.affine=true")
        self.assertEqual(len(sizes(affine, "all_reduce")), 54 + 53)
        self.assertEqual(sum(sizes(affine, "all_reduce")), FP16 * (25557032 - 1000))
        forward = sum(each["macs"] for each in result["operators"] if each["pass"] == "forward") / 32
        self.assertTrue(3.86e9 <= forward <= 4.1e9, forward)

    def test_gnmt_sums_all_gradients_once(self):
        for kernels in ("by_layer", "by_step"):
            result = self.step("gnmt-on-ace", f"model.recurrent_kernels={kernels}", "strategy.recurrent_sync=once")
            self.assertEqual(sum(sizes(result, "all_reduce")), FP16 * 276562944)
            self.assertEqual(result["batch"], 128 * DEVICES)

    def test_dlrm_exchanges_looked_up_rows_and_their_gradients(self):
        result = self.step("dlrm-on-ace")
        self.assertEqual(result["batch"], BATCH * DEVICES)
        self.assertEqual(sizes(result, "all_to_all"), 2 * [BATCH * TABLES * DIM * FP16])
        self.assertAlmostEqual(sum(sizes(result, "all_reduce")) / FP16, 27.33e6, delta=0.01e6)

    # Begins when the tables are looked up, and only the interaction waits for it; backward, it is ready to go when the
    # interaction is done, before the bottom layers are, and only the tables wait.
    def test_dlrm_exchanges_beside_its_bottom_layers(self):
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
    def test_what_leaves_a_device(self):
        self.write("d.yaml", SMALL)
        result = self.step("d.yaml", "strategy.bucket=1GB")
        sent = max(link["carried_B"] for link in result["links"] if link["kind"] == "link")
        expected = FP16 * (2 * 32 * 16 * 8 + 2 * SMALL_LAYERS) * 7 / 8
        self.assertAlmostEqual(sent / expected, 1.0, delta=1e-6)

    def test_the_same_tables_by_data(self):
        self.write("d.yaml", SMALL.replace("parallelism: hybrid", "parallelism: data"))
        result = self.step("d.yaml")
        self.assertEqual(sizes(result, "all_to_all"), [])
        self.assertEqual(sorted(sizes(result, "all_gather")), [8 * 32 * 16 * 8 * FP16, 8 * 32 * 16 * 3 * 8])

    def test_fewer_tables_than_devices(self):
        self.write("d.yaml", SMALL.replace("tables: 16", "tables: 6"))
        self.refuse(["run", "d.yaml"], "tables are 6 for 8 shards", code=3)

    # In the background neither the exchange nor the update waits for this step's.
    def test_tables_in_the_background(self):
        self.write("d.yaml", SMALL)
        in_turn = self.step("d.yaml")
        result = self.step("d.yaml", "training.tables=background")
        self.assertEqual(self.span(result, "all_to_all of tables")["begin_s"], 0.0)
        self.assertEqual(result["macs"], in_turn["macs"])
        self.assertEqual(result["collectives"], in_turn["collectives"])
        self.assertLessEqual(result["step_time_s"], in_turn["step_time_s"])


if __name__ == "__main__":
    unittest.main()
