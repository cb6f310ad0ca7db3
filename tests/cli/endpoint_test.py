#!/usr/bin/python3
"""--endpoint: device resources used by collectives, and invalid endpoints."""
import unittest

from program import CliTest

TORUS = ("collective", "--platform", "ace-4x4x4", "--size", "100 MB", "--algorithm", "hierarchical")


class Endpoint(CliTest):
    def driven(self, *arguments):
        return self.succeed_json(*TORUS, *arguments)["driven_bandwidth_Bps"] / 1e9

    def test_network_rate_follows_the_memory_bandwidth(self):
        # 2.25 bytes are sent per byte of payload, each is read 1.5 times.
        result = self.succeed_json(*TORUS, "--endpoint", "comp-opt")
        self.assertAlmostEqual(result["endpoint"]["read_per_device_B"], 1.5 * 2.25 * 100e6, delta=1.0)
        self.assertEqual(result["endpoint"]["written_per_device_B"], 0.0)
        self.assertEqual(result["bound_by"], "endpoint: memory of device")
        self.assertAlmostEqual(result["driven_bandwidth_Bps"] / 1e9, 128 / 1.5, delta=0.02 * 128 / 1.5)

    def test_an_ideal_endpoint_has_no_cost(self):
        plain, ideal = self.succeed_json(*TORUS), self.succeed_json(*TORUS, "--endpoint", "ideal")
        self.assertEqual(plain, ideal)
        self.assertNotIn("endpoint", plain)

    def test_an_ideal_endpoint_has_no_device(self):
        unused = "has no effect (used only with an --endpoint other than ideal, e.g. --endpoint cores)"
        self.refuse((*TORUS, "--device", "h200"), f"--device: {unused}")
        self.refuse((*TORUS, "--endpoint", "ideal", "--set", "device.fabric.bus=50 GB/s"), f"--set: device.fabric.bus: {unused}")

    def test_text_has_memory_traffic_and_reservations(self):
        text = self.succeed(*TORUS, "--endpoint", "cores", "--set", "endpoint.sms=6", "--set", "endpoint.memory=450 GB/s")
        self.assertRegex(text, r"endpoint +6 cores at 478.1 GB/s, 450 GB/s of memory, exact accounting")
        self.assertRegex(text, r"memory per device +375 MB read, 262.5 MB written")

    def test_settings_reach_endpoint_and_device(self):
        few = self.driven("--endpoint", "cores", "--set", "endpoint.sms=2", "--set", "endpoint.accounting=paper")
        self.assertAlmostEqual(few, 2 * 64 * 1.245 / 1.5, delta=0.02 * few)
        slow = self.driven("--endpoint", "cores", "--set", "device.fabric.bus=50 GB/s")
        self.assertAlmostEqual(slow, 50, delta=1.0)

    def test_an_engine_reads_and_writes_each_byte_of_payload_once(self):
        result = self.succeed_json(*TORUS, "--endpoint", "engine")
        for key in ("read_per_device_B", "written_per_device_B"):
            self.assertAlmostEqual(result["endpoint"][key], 100e6, delta=1.0)
        self.assertAlmostEqual(result["endpoint"]["engine_area_m2"] * 1e6, 5.34, delta=0.005)
        self.assertAlmostEqual(result["endpoint"]["engine_power_W"], 4.25, delta=0.005)
        ace = self.driven("--endpoint", "ace", "--set", "endpoint.engine.fsms=32")
        self.assertAlmostEqual(ace, 128 * 2.25, delta=0.03 * ace)

    def test_an_engine_needs_a_device_that_has_one(self):
        self.refuse((*TORUS, "--endpoint", "engine", "--device", "h200"), "--endpoint: ", "h200")
        self.refuse((*TORUS, "--endpoint", "engine", "--set", "endpoint.sms=2"), "sms", "executor: cores")

    def test_an_engine_reports_its_utilization(self):
        engine = self.succeed_json(*TORUS, "--endpoint", "ace")["endpoint"]["engine"]
        self.assertEqual([p["fsms"] for p in engine["partitions"]], [1, 7, 7, 1, 0])
        self.assertAlmostEqual(sum(p["sram_B"] for p in engine["partitions"]), 4 * 2**20, delta=1.0)
        self.assertLessEqual(engine["sram_peak_B"], 4 * 2**20)
        self.assertGreater(engine["busy_share"], 0.99)
        text = self.succeed(*TORUS, "--endpoint", "ace")
        self.assertRegex(text, r"(?s)engine utilization +100 %, .* 1 \+ 7 \+ 7 \+ 1\s+state\s+machines\s+at .* %")

    def test_engine_size_can_be_set(self):
        whole = self.driven("--endpoint", "ace")
        few = self.driven("--endpoint", "ace", "--set", "endpoint.engine.fsms=4")
        self.assertLess(few, 0.3 * whole)
        self.assertEqual(few, self.driven("--endpoint", "ace", "--set", "device.fabric.engine.fsms=4"))
        self.assertLess(self.driven("--endpoint", "ace", "--set", "endpoint.engine.split=heuristic"), 0.3 * whole)

    def test_an_engine_that_is_too_small_is_infeasible(self):
        for setting, *told in (("sram=200 KiB", "fabric.engine.sram", "one chunk"),
                               ("fsms=3", "fabric.engine.fsms", "4 phases"),
                               ("chunk=2 MiB", "fabric.engine.sram", "one chunk")):
            self.refuse((*TORUS, "--endpoint", "ace", "--set", "endpoint.engine." + setting), *told, code=3)
        self.refuse((*TORUS, "--endpoint", "ace", "--chunks", "10"), "fabric.engine.sram", code=3)
        scatter = ("collective", "--platform", "ace-4x4x4", "--op", "reduce_scatter", "--endpoint", "ace")
        self.refuse((*scatter, "--algorithm", "hierarchical", "--set", "endpoint.engine.sram=66 KiB"), "fabric.engine.sram", code=3)
        self.refuse((*scatter, "--set", "endpoint.engine.sram=60 KiB"), "fabric.engine.sram", code=3)

    def test_infeasible_engine_values_name_their_location(self):
        for setting, key in (("sram=64 KiB", "sram"), ("fsms=3", "fsms"), ("chunk=100 B", "chunk")):
            for prefix in ("endpoint.engine.", "device.fabric.engine."):
                self.refuse((*TORUS, "--endpoint", "ace", "--set", prefix + setting),
                            "fabric.engine." + key, f"(--set: {prefix}{key})", code=3)
        # In the device's file, where the endpoint does not say it.
        self.refuse((*TORUS, "--endpoint", "ace", "--set", "endpoint.engine.chunk=2 MiB"), "ace-npu.yaml:", ": fabric.engine.sram)", code=3)
        device = self.write("small.yaml", "cores: {count: 80, frequency: 1 GHz, matrix: {fp16: 1024 flop}, vector: 64 flop}\n"
                                          "memory: {capacity: 16 GB, bandwidth: 900 GB/s}\n"
                                          "fabric:\n  engine:\n    sram: 128 KiB\n    fsms: 16\n")
        self.refuse((*TORUS, "--endpoint", "ace", "--device", "./" + device), "(./small.yaml:5: fabric.engine.sram)", code=3)
        endpoint = self.write("few.yaml", "executor: engine\nengine:\n  fsms: 2\n")
        self.refuse((*TORUS, "--endpoint", "./" + endpoint), "(./few.yaml:3: engine.fsms)", code=3)
        design = self.write("design.yaml", "model: alexnet\ndevice: ./small.yaml\nplatform: ace-4x2x2\nendpoint: engine\n"
                                           "collectives: hierarchical\nstrategy: {batch: 64}\n")
        self.refuse(("run", "./" + design), "fabric.engine.sram", "/small.yaml:5: fabric.engine.sram)", code=3)

    def test_errors_of_the_device_name_the_full_key(self):
        for setting in ("fabric.engine.fsms=0", "fabric.engine.sram=0 B", "fabric.bus=-1 GB/s", "fabric.engine.srma=1 MiB", "cores.count=0"):
            key = "--set: device." + setting.split("=")[0]
            self.refuse((*TORUS, "--endpoint", "ace", "--set", "device." + setting), key)
            self.refuse(("run", "resnet-50-on-ace", "--set", "device." + setting), key)
        self.refuse(("run", "resnet-50-on-ace", "--set", "device=chip:v100-ace", "--set", "device.template.fabric.engine.fsms=0"),
                    "--set: device.template.fabric.engine.fsms")

    def test_more_cores_than_the_device_has_are_infeasible_in_a_step(self):
        for setting, *told in (("sms=81", "endpoint.sms", "80 cores"), ("sms=-1", "endpoint.sms", "out of range"), ("sms=0", "at least 1"),
                               ("sharing=reserved", "leaves no core"), ("memory=900 GB/s", "leaves no memory bandwidth"), ("memory=1 TB/s", "900 GB/s")):
            more = ("--set", "endpoint.sharing=reserved", "--set", "endpoint.sms=6") if setting.startswith("memory") else ()
            self.refuse(("run", "resnet-50-on-ace", "--set", "endpoint=cores", *more, "--set", "endpoint." + setting), "--set", *told)
        self.refuse((*TORUS, "--endpoint", "cores", "--set", "endpoint.sms=-1"), "--set: endpoint.sms", "out of range")
        self.refuse(("run", "resnet-50-on-ace", "--set", "endpoint=engine", "--set", "device=v100"), "--set: endpoint", "v100")
        self.refuse(("run", "resnet-50-on-ace", "--set", "endpoint=ace", "--set", "device=chip:v100-ace", "--set", "device.template.fabric.engine.fsms=2"),
                    "fsms", "--set: device.template.fabric.engine.fsms", code=3)

    def test_studies_locate_invalid_endpoints(self):
        for setting, *told in (("configurations.comp_opt.sms=81", "configurations.comp_opt.sms", "80 cores"),
                               ("configurations.comp_opt.sms=-1", "configurations.comp_opt.sms", "out of range"),
                               ("configurations.ace.engine={fsms: 0}", "configurations.ace.engine.fsms"),
                               ("configurations.ace.engine={srma: 1 MiB}", "configurations.ace.engine.srma"),
                               ("configurations.ace.memory=900 GB/s", "configurations.ace.memory", "leaves no memory bandwidth"),
                               ("configurations.comm_opt.sms=80", "configurations.comm_opt.sms", "leaves no core"),
                               ("configurations.ideal={executor: cores}", "configurations.ideal", "is a reserved name"),
                               ("device=v100", "device", "engine")):
            self.refuse(("study", "ace", "--set", setting), "--set", *told)
        self.refuse(("study", "ace", "--set", "sms=[81]"), "sms", "80 cores")
        self.refuse(("study", "ace", "--set", "memory=[1 TB/s]"), "memory", "900 GB/s")
        for setting, *told in (("endpoints.cores={executor: cores, sharing: reserved}", "endpoints.cores", "for kernels"),
                               ("endpoints.engine={executor: engine, engine: {chunk: 1 B}}", "endpoints.engine.engine", "engine_of"),
                               ("engine_of=v100", "engine_of", "no collectives engine")):
            self.refuse(("study", "ace-memory-nodes", "--set", setting), "--set", *told)

    def test_a_dimension_of_size_one_is_ignored(self):
        flat, thin = (self.succeed_json("collective", "--platform", "torus:" + text, "--size", "10 MB", "--algorithm", "hierarchical",
                                        "--endpoint", "engine") for text in ("4x4@200GB/s,25GB/s,72ns,402ns",
                                                                             "4x1x4@200GB/s,25GB/s,25GB/s,72ns,402ns,402ns"))
        self.assertAlmostEqual(flat["time_s"] / thin["time_s"], 1.0, delta=1e-9)
        one = self.succeed_json("collective", "--platform", "torus:1x1x1@200GB/s,25GB/s,25GB/s", "--endpoint", "engine")
        self.assertEqual(one["time_s"], 0.0)

    def test_an_infeasible_step_names_the_location(self):
        run = ("run", "resnet-50-on-ace", "--set", "endpoint=ace", "--set")
        self.refuse((*run, "endpoint.engine.sram=64 KiB"), "fabric.engine.sram", "(--set: endpoint.engine.sram)", code=3)
        self.refuse((*run, "endpoint.engine.fsms=3"), "fabric.engine.fsms", "(--set: endpoint.engine.fsms)", code=3)
        self.refuse((*run, "endpoint.engine.chunk=100 B"), "fabric.engine.chunk", "(--set: endpoint.engine.chunk)", code=3)

    def test_chunks_that_are_too_small_to_simulate_are_refused(self):
        self.refuse((*TORUS, "--endpoint", "ace", "--set", "endpoint.engine.chunk=100 B"), "fabric.engine.chunk", code=3)

    def test_an_engine_acts_in_a_step(self):
        def exposed(*settings):
            result = self.succeed_json("run", "gnmt-on-ace", "--set", "endpoint=ace", *(f for s in settings for f in ("--set", s)))
            return result["breakdown"]["communication_s"]
        whole = exposed()
        self.assertGreater(exposed("endpoint.engine.fsms=4"), 2.0 * whole)
        self.assertGreater(exposed("endpoint.engine.split=heuristic"), 2.0 * whole)

    def test_auto_separates_infeasible_from_expensive_algorithms(self):
        because = self.succeed_json("collective", "--platform", "ace-4x4x4", "--endpoint", "ace",
                                    "--set", "endpoint.engine.fsms=3")["chosen_because"]
        self.assertRegex(because, r"infeasible: .*hierarchical \(fabric.engine.fsms\)")

    def test_an_algorithm_of_fewer_phases_fits_a_smaller_engine(self):
        result = self.succeed_json("collective", "--platform", "ace-4x4x4", "--op", "reduce_scatter", "--endpoint", "ace",
                                   "--set", "endpoint.engine.sram=66 KiB")
        self.assertEqual(result["algorithm"], "direct")

    def test_an_invalid_engine_is_rejected(self):
        for setting in ("sram=0 B", "fsms=0", "fsms=1.5", "fsms=1e9", "alus=0", "chunk=0 B", "split=fair", "order=filo", "srma=1 MiB"):
            key = "endpoint.engine." + setting.split("=")[0]
            self.refuse((*TORUS, "--endpoint", "ace", "--set", "endpoint.engine." + setting), "--set: " + key)
        self.refuse((*TORUS, "--endpoint", "cores", "--set", "endpoint.engine.fsms=2"), "endpoint.engine", "engine")

    def test_every_device_may_have_an_engine(self):
        for item in self.succeed_json("list", "devices")["items"]:
            with self.subTest(device=item["name"]):
                self.succeed("collective", "--platform", "dgx1v", "--endpoint", "cores", "--device", item["name"])

    def test_errors_name_the_key(self):
        for setting, *told in (("sms=0", "endpoint.sms", "at least 1"), ("sms=81", "sms", "80 cores"),
                               ("engine.fsms=4", "endpoint.engine", "only with executor: engine"),
                               ("memory=-3 GB/s", "memory", "above 0"), ("memory=901 GB/s", "memory", "900 GB/s"),
                               ("sm=3", "sm", "sms"), ("accounting=none", "accounting", "exact")):
            self.refuse((*TORUS, "--endpoint", "cores", "--set", "endpoint." + setting), "--set", *told)
        self.refuse((*TORUS, "--endpoint", "corse"), "--endpoint", "cores")
        self.refuse(("run", "resnet-50-on-ace", "--set", "endpoint="), "--set: endpoint", "is not an endpoint")
        self.refuse((*TORUS, "--set", "endpoint.sms=3"), "sms", "only with executor: cores")
        self.refuse((*TORUS, "--endpoint", "cores", "--set", "endpoint.reads_per_sent=2"),
                    "reads_per_sent", "only with executor: cores and accounting: paper")
        file = self.write("mine.yaml", "executor: cores\nmemory: 100 GB/s\nsms: 100\n")
        self.refuse((*TORUS, "--endpoint", "./" + file), "mine.yaml:3: sms", "80 cores")


if __name__ == "__main__":
    unittest.main()
