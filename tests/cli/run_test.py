#!/usr/bin/python3
"""`cairn run` works for every system, and explains infeasible designs."""
import json
import os
import unittest

from program import CliTest

PLATFORMS = ("dc-dla", "hc-dla", "mc-dla-star-a", "mc-dla-star-b", "mc-dla-ring")
RUN_KEYS = {"step_time_s", "breakdown", "bound_by", "utilization", "peak_memory_B", "links", "activities"}
BREAKDOWN_KEYS = {"compute_s", "communication_s", "memory_s", "communication_exposed_s", "memory_exposed_s", "idle_s"}
COUNTS = {"devices", "steps", "batch", "macs", "events", "members", "utilization", "error_bar", "count", "simulated_classes", "layer",
          "device_class", "stages", "virtual_stages", "stage", "breakdown_stage", "class_stages", "flops", "throughput_flops", "dims", "id", "from", "to", "simulated",
          "of", "tokens", "tokens_per_s_per_device", "tflops_per_device", "tflops_per_device_not_causal", "mfu", "mfu_not_causal"}
UNITS = ("_W", "_J", "_s", "_B", "_Bps", "_USD")


def design(**changes):
    keys = {"model": "alexnet", "device": "mc-dla", "platform": "mc-dla-ring",
            "strategy": "{parallelism: data, batch: 256}", "memory": "{offload: everything}", **changes}
    return "".join(f"{key}: {value}\n" for key, value in keys.items() if value is not None)


class RunTest(CliTest):
    def run_json(self, *arguments, **changes):
        return self.succeed_json("run", self.write("d.yaml", design(**changes)), *arguments)

    def check(self, result):
        self.assertLessEqual(RUN_KEYS, result.keys())
        self.assertEqual(BREAKDOWN_KEYS, result["breakdown"].keys())
        self.check_units(result, UNITS, COUNTS)
        parts = result["breakdown"]
        step = parts["compute_s"] + parts["communication_exposed_s"] + parts["memory_exposed_s"] + parts["idle_s"]
        self.assertAlmostEqual(step / result["step_time_s"], 1.0, delta=1e-9)
        self.assertTrue(0.0 < result["utilization"] <= 1.0)
        self.assertEqual(result["overflow_B"], max(0, result["peak_memory_B"] - result["capacity_B"]))
        for link in result["links"]:
            self.assertLessEqual(link["utilization"], 1.0 + 1e-9, link)


class Answers(RunTest):
    def test_every_system_and_strategy(self):
        for platform in PLATFORMS:
            for parallelism in ("data", "model", "one_weird_trick"):
                with self.subTest(platform=platform, parallelism=parallelism):
                    result = self.run_json(platform=platform, strategy=f"{{parallelism: {parallelism}, batch: 256}}")
                    self.check(result)
                    self.assertEqual((result["platform"], result["strategy"]), (platform, parallelism))

    def test_every_model(self):
        for item in self.succeed_json("list", "models")["items"]:
            with self.subTest(model=item["name"]):
                # Whether it fits or not: the weights of large ones are more than these devices have.
                result = self.run_json(model=item["name"], strategy="{batch: 8}",
                                       memory="{offload: everything, capacity: ignored}")
                self.check(result)
                self.assertEqual(result["model"], item["name"])

    def test_every_bundled_design(self):
        for item in self.succeed_json("list", "designs")["items"]:
            self.check(self.succeed_json("run", item["name"]))

    def test_text_fits_a_terminal_and_has_the_main_results(self):
        text = self.succeed("run", self.write("d.yaml", design()))
        for word in ("step time", "throughput", "bound by", "utilization", "peak memory", "offloaded",
                     "compute", "communication", "memory", "idle", "busiest resources"):
            self.assertIn(word, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)
        self.assertNotIn("\x1b", text)

    def test_same_input_same_bytes(self):
        arguments = ("run", self.write("d.yaml", design()), "--json", "--detail")
        self.assertEqual(self.succeed(*arguments), self.succeed(*arguments))

    def test_protocols_of_collectives(self):
        for platform, protocols, algorithm in (("dgx-h100", {"LL", "Simple"}, "ring"), ("switch:8@450GB/s,250ns", {None}, "direct")):
            self.write("d.yaml", f"model: gpt\ndevice: h200\nplatform: {platform}\nstrategy: {{batch: 8, precision: bf16}}\n")
            collectives = self.succeed_json("run", "d.yaml")["collectives"]
            self.assertEqual({each.get("protocol") for each in collectives}, protocols)
            self.assertEqual({(each["op"], each["algorithm"]) for each in collectives}, {("all_reduce", algorithm)})
            self.assertEqual("protocols " in self.succeed("run", "d.yaml"), protocols != {None})

    def test_detail(self):
        result = self.run_json("--detail")
        self.check_units(result, UNITS, COUNTS)
        spans, operators, memory = result["timeline"], result["operators"], result["memory"]
        self.assertEqual(max(span["end_s"] for span in spans), result["step_time_s"])
        self.assertEqual(max(point["in_use_B"] for point in memory), result["peak_memory_B"])
        self.assertEqual(sorted(point["at_s"] for point in memory), [point["at_s"] for point in memory])
        kernels = [span for span in spans if span["kind"] == "kernel" and span["device_class"] == 0]
        self.assertEqual(len(kernels), len(operators))
        self.assertEqual(len(kernels), result["activities"]["kernel"]["count"])
        self.assertNotIn("timeline", self.run_json())

    def test_detail_has_the_platform_graph_and_roofline(self):
        result = self.run_json("--detail")
        graph = result["platform_graph"]
        self.assertEqual(graph["topology"], "mc_dla_ring")
        facts = self.succeed_json("platform", "mc-dla-ring")
        self.assertEqual((len(graph["nodes"]), len(graph["links"])), (facts["nodes"], 2 * facts["links"]))
        self.assertLessEqual({"device", "memory-node"}, {node["kind"] for node in graph["nodes"]})
        ids = {node["id"] for node in graph["nodes"]}
        for link in graph["links"]:
            self.assertLessEqual({link["from"], link["to"]}, ids)
            self.assertTrue(0.0 <= link["utilization"] <= 1.0 + 1e-9)
        # Each entry of links[] stands for members of the graph that carry the same.
        for use in result["links"]:
            if use["kind"] == "link":
                alike = [link for link in graph["links"] if abs(link["carried_B"] - use["carried_B"]) <= 1e-9 * use["carried_B"]]
                self.assertGreaterEqual(len(alike), use["members"], use)
        roofs = result["roofline"]
        for op in result["operators"]:
            self.assertEqual([each["level"] for each in op["traffic"]], [level["name"] for level in roofs["levels"]])
            # No kernel is above a roof; what has no products is not done by the matrix units.
            if op["macs"] > 0:
                self.assertLessEqual(2 * op["macs"], roofs["throughput_flops"] * op["time_s"] * (1 + 1e-9))
            for level, moved in zip(roofs["levels"], op["traffic"]):
                if level["bandwidth_Bps"] is not None:
                    self.assertLessEqual(moved["bytes_B"], level["bandwidth_Bps"] * op["time_s"] * (1 + 1e-6), op["name"])

    def test_folded_and_unfolded_agree(self):
        for platform in PLATFORMS:
            folded = self.run_json(platform=platform)
            every = self.run_json("--fold", "off", platform=platform)
            self.assertEqual(len(every["simulated_classes"]), 8)
            self.assertAlmostEqual(folded["step_time_s"], every["step_time_s"], delta=1e-12 * every["events"])

    def test_power_is_that_of_devices_system_and_memory_nodes(self):
        for platform, memory_nodes in (("dc-dla", 0), ("mc-dla-ring", 8 * 10 * 12.7)):
            result = self.run_json(platform=platform)
            self.assertAlmostEqual(result["power_W"], 8 * 300 + 800 + memory_nodes)
            self.assertAlmostEqual(result["energy_J"], result["power_W"] * result["step_time_s"])
            self.assertEqual(result["energy_from"], "design power")
            self.assertAlmostEqual(result["samples_per_J"], result["samples_per_s"] / result["power_W"])

    def test_settings_change_the_design_and_files_it_names(self):
        plain = self.run_json(platform="dc-dla")
        doubled = self.run_json("--set", "platform.pcie_bandwidth=22 GB/s", platform="dc-dla")
        # Bound by the way to the host: twice the bandwidth is nearly twice as fast.
        self.assertTrue(plain["bound_by"].startswith("memory ("), plain["bound_by"])
        self.assertAlmostEqual(plain["breakdown"]["memory_s"] / doubled["breakdown"]["memory_s"], 2.0, delta=1e-2)
        self.assertEqual((doubled["platform"], doubled["model"]), ("dc-dla", "alexnet"))
        self.assertEqual(self.run_json("--set", "strategy.batch=512")["batch"], 512)
        self.assertEqual(self.run_json("--set", "model=resnet-34")["model"], "resnet-34")
        self.assertEqual(self.run_json("--set", "device.memory.capacity=80 GB")["capacity_B"], 80e9)
        self.assertEqual(self.run_json("--set", "model.grouped=true")["model"], "alexnet")

    def test_everything_inline(self):
        result = self.run_json(platform="ring:4@25GB/s,500ns", memory=None,
                               model="{input: {channels: 3, height: 8, width: 8}, "
                                     "layers: [{type: convolution, channels: 8, kernel: 3}]}",
                               device="{cores: {count: 4, units: 4, frequency: 1 GHz, matrix: {fp16: 8 flop}, vector: 4 flop}, "
                                      "levels: [{name: sram, scope: bundle, capacity: 32 KiB}], "
                                      "memory: {capacity: 1 GB, bandwidth: 10 GB/s}}")
        self.check(result)
        self.assertEqual(result["devices"], 4)

    def test_a_generated_chip_as_device(self):
        result = self.run_json(device="chip:v100", memory=None)
        self.check(result)
        self.assertEqual(result["device"], "chip:v100")
        slower = self.run_json("--set", "device.template.core.power=0.1", device="chip:v100", memory=None)
        self.assertGreater(slower["step_time_s"], result["step_time_s"])

    def test_energy_and_cost_of_a_generated_chip_come_from_its_technology(self):
        plain = self.run_json(device="chip:v100", memory=None)
        self.check(plain)
        self.assertEqual(plain["energy_from"], "work done")
        self.assertAlmostEqual(sum(plain["energy"].values()) / plain["energy_J"], 1.0, delta=1e-12)
        self.assertAlmostEqual(plain["cost_USD"], 8 * self.succeed_json("chip", "v100")["cost"]["total_USD"])
        self.assertEqual(plain["cost"]["unknown"], ["inter-package links"])
        # With twice the power, links that take twice the energy work at the same voltage.
        links = "device.template.network.inter_package"
        doubled = self.run_json("--set", f"{links}.power=0.0187", "--set", f"{links}.technology.energy=26 pJ/bit",
                                device="chip:v100", memory=None)
        ratios = {part: doubled["energy"][part] / plain["energy"][part] for part in ("compute_J", "levels_J", "memory_J")}
        self.assertEqual(set(ratios.values()), {1.0})
        self.assertAlmostEqual(doubled["energy"]["network_J"] / plain["energy"]["network_J"], 2.0, delta=1e-9)
        text = self.succeed("run", self.write("d.yaml", design(device="chip:v100", memory=None)))
        self.assertRegex(text, r"energy +[0-9.]+ .?J +compute [0-9.]+ %, levels")
        self.assertRegex(text, r"cost +[0-9]+ USD +of all devices; price unknown: inter-package links")

    def test_a_device_may_state_energy_and_cost(self):
        device = ("{cores: {count: 4, frequency: 1 GHz, matrix: {fp16: 800 flop}, vector: 400 flop}, "
                  "memory: {capacity: 100 GB, bandwidth: 1000 GB/s}, "
                  "energy: {source: ours, flop: 1 pJ/flop, memory: 4 pJ/bit}, "
                  "cost: {source: ours, items: [{what: card, cost: 100 USD}]}}")
        result = self.run_json(platform="ring:4@25GB/s,500ns", memory=None, device=device)
        self.check(result)
        self.assertNotIn("power_W", result)
        self.assertNotIn("network_J", result["energy"])
        self.assertGreaterEqual(result["energy"]["compute_J"], 2 * result["macs"] * 1e-12)
        self.assertEqual(result["cost_USD"], 400)

    def test_fewer_devices_than_the_platform_has(self):
        for collectives in ("ring", None):
            result = self.run_json("--set", "strategy.devices=4", memory=None, collectives=collectives)
            self.check(result)
            self.assertEqual(result["devices"], 4)

    def test_device_classes_are_listed_separately(self):
        # Two of three share an uplink.
        for devices, memory in ((3, "{offload: everything}"), (5, "{offload: on_demand}"), (7, "{offload: everything}")):
            with self.subTest(devices=devices):
                result = self.run_json("--set", f"strategy.devices={devices}", "--set", "device.memory.capacity=1.25 GB",
                                       platform="dc-dla", memory=memory, strategy="{batch: 512, batch_per: device}")
                self.check(result)
                self.assertEqual(result["devices"], devices)

    def test_one_device_exchanges_nothing(self):
        for given in ("slice", "gathered", "regather"):
            result = self.run_json("--set", "strategy.devices=1",
                                   strategy="{parallelism: model, batch: 64}",
                                   assumptions=f"{{model_parallel_input: {given}}}")
            self.assertEqual(result["breakdown"]["communication_s"], 0)

    def test_folded_equals_unfolded_without_contention(self):
        once = self.run_json(platform="dc-dla", contention="false")
        each = self.run_json("--fold", "off", platform="dc-dla", contention="false")
        self.assertAlmostEqual(once["step_time_s"], each["step_time_s"], delta=1e-9)
        self.assertAlmostEqual(once["breakdown"]["memory_s"], each["breakdown"]["memory_s"], delta=1e-9)

    def test_faster_links_are_never_slower(self):
        for model in ("alexnet", "resnet-34", "rnn-lstm-1"):
            times = {contention: [self.run_json("--set", f"platform.bandwidth={rate} GB/s", model=model,
                                                contention=contention)["step_time_s"] for rate in (12.5, 25, 50, 100)]
                     for contention in ("false", "true")}
            self.assertEqual(times["false"], sorted(times["false"], reverse=True), model)
            # Where all compete for a device's memory, faster transfers take more of it from kernels that need it.
            for slower, faster in zip(times["true"], times["true"][1:]):
                self.assertLess(faster, 1.03 * slower, model)

    def test_paths_in_a_design_are_relative_to_its_folder(self):
        (self.folder / "here").mkdir()
        self.write("here/p.yaml", "topology: ring\ndevices: 4\nbandwidth: 25 GB/s\n")
        self.write("here/m.yaml", "network: alexnet\n")
        self.write("here/d.yaml", design(platform="./p.yaml", model="m.yaml", memory=None))
        result = self.succeed_json("run", "here/d.yaml")
        self.assertEqual((result["devices"], result["model"], result["platform"]), (4, "m", "p"))
        self.assertEqual(self.succeed_json("run", "here/d.yaml", "--set", "platform=here/p.yaml")["platform"], "p")

    def test_memory_nodes_fit_models_that_host_memory_cannot(self):
        self.assertGreater(self.succeed_json("run", "video-on-mc-dla")["utilization"], 0.5)
        for change, limit in (("platform=dc-dla", "backing store"), ("memory.offload=none", "device memory")):
            self.refuse(["run", "video-on-mc-dla", "--set", change], "infeasible: " + limit, code=3)


class Files(RunTest):
    def test_trace_rows(self):
        self.succeed("run", self.write("d.yaml", design()), "--trace", "t.json")
        events = json.loads((self.folder / "t.json").read_text())["traceEvents"]
        rows = {(event["pid"], event["tid"]): event["args"]["name"] for event in events
                if event["name"] == "thread_name"}
        for tid, name in enumerate(("compute", "copy out", "copy in", "collectives")):
            self.assertEqual(rows[0, tid], name)
        ends = {}
        for span in sorted((event for event in events if event["ph"] == "X"), key=lambda event: event["ts"]):
            row = span["pid"], span["tid"]
            self.assertGreaterEqual(span["ts"], ends.get(row, 0.0) - 1e-6, f"{rows[row]}: {span['name']}")
            ends[row] = span["ts"] + span["dur"]
        for row in rows:
            self.assertIn(row, ends)
        self.assertTrue(any(event["ph"] == "C" for event in events))
        self.assertEqual(sorted(file.name for file in self.folder.iterdir()), ["d.yaml", "t.json"])

    def test_plots(self):
        self.succeed("run", self.write("d.yaml", design()), "--plot", "pictures/here")
        names = {file.name for file in (self.folder / "pictures/here").iterdir()}
        self.assertEqual(names, {f"{stem}.{suffix}" for stem in ("breakdown", "memory")
                                 for suffix in ("dat", "gp", "svg", "pdf")})
        self.assertIn("</svg>", (self.folder / "pictures/here/memory.svg").read_text())

    def test_without_gnuplot_data_and_scripts_are_written(self):
        done = self.run_here("run", self.write("d.yaml", design()), "--plot", "p", env={"PATH": "/nowhere"})
        self.assertEqual(done.returncode, 0)
        self.assertIn("gnuplot", done.stderr)
        self.assertIn("step time", done.stdout)
        self.assertEqual(sorted(file.name for file in (self.folder / "p").iterdir()),
                         ["breakdown.dat", "breakdown.gp", "memory.dat", "memory.gp"])

    def test_unwritable_files(self):
        self.write("d.yaml", design())
        self.write("file", "mine")
        for folder in ("file", "file/below", "", "/proc/nope"):
            self.refuse(["run", "d.yaml", "--plot", folder], "--plot")
        for file in ("missing/t.json", "", ".", "/dev/full"):
            self.refuse(["run", "d.yaml", "--trace", file], "--trace")
        self.assertEqual((self.folder / "file").read_text(), "mine")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_without_permission(self):
        (self.folder / "closed").mkdir(mode=0o555)
        self.refuse(["run", self.write("d.yaml", design()), "--plot", "closed"], "--plot", "ermission")

    def test_a_closed_pipe_is_no_error(self):
        for flags in ((), ("--json", "--detail")):
            reader, writer = os.pipe()
            os.close(reader)
            done = self.run_here("run", "vgg-e-on-mc-dla", *flags, stdout=writer)
            os.close(writer)
            self.assertEqual((done.returncode, done.stderr), (0, ""))


class Refusals(RunTest):
    def refuse_design(self, *expected, code=2, flags=(), **changes):
        self.refuse(["run", self.write("d.yaml", design(**changes)), *flags], *expected, code=code)

    def test_unknown_names_and_keys_suggest_the_nearest(self):
        self.refuse_design("d.yaml:1: model", "alexnte", "alexnet", model="alexnte")
        self.refuse_design("d.yaml:2: device", "mc-dla", device="mc-dal")
        self.refuse_design("d.yaml:3: platform", "mc-dla-ring", platform="mc-dla-rign")
        self.refuse_design("d.yaml:6: stratgy", "strategy", stratgy="{}")
        self.refuse_design("d.yaml:4: strategy.bacth", "batch", strategy="{bacth: 5}")
        self.refuse_design("d.yaml:4: strategy.parallelism", "data", strategy="{parallelism: dta}")
        self.refuse_design("d.yaml:5: memory.offload", "everything", memory="{offload: everthing}")
        self.refuse_design("model", "missing", model=None)
        self.refuse_design("d.yaml:2: device.energy.source: missing",
                           device="{cores: {count: 1, frequency: 1 GHz, matrix: {fp16: 8 flop}, vector: 4 flop}, "
                                  "memory: {capacity: 1 GB, bandwidth: 10 GB/s}, energy: {flop: 1 pJ/flop, memory: 4 pJ/bit}}")
        self.refuse_design("d.yaml:6: collectives", "rings", collectives="rigns")

    def test_numbers(self):
        for batch in ("0", "-1", "x", "nan", "inf", "[1]", "1 MB"):
            self.refuse_design("d.yaml:4: strategy.batch", strategy=f"{{batch: {batch}}}")
        self.refuse_design("d.yaml:4: strategy.devices", "8", strategy="{devices: 9}")
        self.refuse_design("d.yaml:4: strategy.devices", strategy="{devices: -1}")
        self.refuse_design("d.yaml:5: memory.window", memory="{window: 0}")

    def test_batches_that_do_not_divide(self):
        self.refuse_design("infeasible: batch: 250 samples do not divide over 8 replicas (use 248 or 256) "
                           "(d.yaml:4: strategy.batch)", code=3, strategy="{batch: 250}")
        self.refuse_design("infeasible: micro_batches: 128 samples of each replica do not divide into 33 micro-batches "
                           "(use 32 or 64) (d.yaml:4: strategy.micro_batches)", code=3,
                           strategy="{batch: 1024, micro_batches: 33}")
        self.refuse_design("infeasible: batch: 512 samples do not divide over 3 replicas (use 510 or 513) (d.yaml: strategy.batch)",
                           code=3, platform="ring:3@25GB/s,500ns", strategy=None, memory=None)

    def test_a_key_without_effect(self):
        for key, setting, when in (
                ("model.input", "model.input.height=64", "unknown key"),
                ("model.recurrent_kernels", "model.recurrent_kernels=by_layer", "recurrent layers"),
                ("assumptions.resharding", "assumptions.resharding=gather", "parallelism: row_column"),
                ("strategy.pipeline", "strategy.pipeline=gpipe", "micro_batches above 1"),
                ("launch.background", "launch.background.sms=2", "tables: background"),
                ("training.updates", "training.updates=before_use", "steps above 1"),
                ("endpoint.sms", "endpoint={sms: 2}", "executor: cores"),
                ("page_placement", "page_placement=local", "memory-nodes")):
            with self.subTest(setting):
                self.refuse(["run", "vgg-e-on-dc-dla", "--set", setting], f"--set: {key}: ", when)
        for key in ("window", "overlap", "recompute", "offload_state", "in_order", "compression"):
            value = {"window": "1", "overlap": "free", "compression": "{other: 2}"}.get(key, "true")
            self.refuse_design(f"d.yaml:5: memory.{key}: has no effect (used only with ", "offload", memory=f"{{{key}: {value}}}")
        self.refuse_design("d.yaml:5: memory.window", memory="{offload: everything, overlap: none, window: 2}")
        self.refuse_design("infeasible: memory.tables: alexnet has no embedding tables (d.yaml:5: memory.tables)",
                           code=3, memory="{tables: store}")
        self.refuse_design("d.yaml:3: platform.pcie_latency", "host: true",
                           platform="{topology: cube_mesh, pcie_latency: 1 us}", memory=None)

    def test_power_counts_participating_devices(self):
        alone = self.succeed_json("run", "vgg-e-on-mc-dla", "--set", "strategy.batch=64", "--set", "platform.devices=2",
                                  "--set", "platform.system_power=200 W")
        part = self.succeed_json("run", "vgg-e-on-mc-dla", "--set", "strategy.batch=64", "--set", "strategy.devices=2",
                                 "--set", "collectives=auto")
        # Two devices of 300 W, and 2/8 of 800 W and of eight memory-nodes of 127 W.
        for result in (alone, part):
            self.assertAlmostEqual(result["power_W"], 2 * 300 + 200 + 2 * 127)
            self.assertAlmostEqual(result["energy_J"], result["power_W"] * result["step_time_s"])
        self.assertEqual(self.succeed_json("run", "gpt-on-h200")["power_W"], 700)
        self.assertIn("700 W         of 1 of 8 devices, ", self.succeed("run", "gpt-on-h200"))

    def test_settings(self):
        for setting, expected in (("strategy.bacth=5", "batch"), ("batch", "="), ("strategy.batch=0", "batch"),
                                  ("platform.pcie=1", "platform"), ("platform.latency=1", "latency"),
                                  ("model.bolcks=[1]", "bolcks"), ("device.memory.capacity=big", "capacity"),
                                  ("device.name.x=1", "name")):
            self.refuse_design(expected, flags=("--set", setting))

    def test_flags(self):
        self.refuse(["run"], "DESIGN", "see cairn run --help")
        self.refuse(["run", "vgg-e-on-mc-dal"], "DESIGN", "vgg-e-on-mc-dla")
        self.refuse_design("--fold", flags=("--fold", "maybe"))
        self.refuse_design("--detail", "--json", flags=("--detail",))
        self.refuse_design("--jsn", "--json", flags=("--jsn",))
        self.refuse(["run", "a.yaml", "b.yaml"], "b.yaml")

    def test_files(self):
        self.refuse(["run", "none.yaml"], "none.yaml")
        (self.folder / "d.yaml").mkdir()
        self.refuse(["run", "d.yaml"], "d.yaml")
        for content in ("", "words\n", "[1]\n", "a: [\n", b"\x7fELF\x00"):
            self.refuse(["run", self.write("e.yaml", content)], "e.yaml")
        self.refuse(["run", "/dev/zero"], "/dev/zero")

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_an_unreadable_file(self):
        self.write("d.yaml", design())
        (self.folder / "d.yaml").chmod(0)
        self.refuse(["run", "d.yaml"], "d.yaml", "ermission")

    def test_infeasible_designs_with_limit_and_detail(self):
        self.refuse_design("infeasible: backing store: ", "ring:8", "(d.yaml:5: memory)", code=3,
                           platform="ring:8@25GB/s,500ns")
        self.refuse_design("infeasible: device memory: ", "of a device", code=3, memory="{offload: none}",
                           strategy="{batch: 1000000}")
        self.refuse_design("infeasible: simulated time: ", "106 days", code=3, memory=None,
                           flags=("--set", "device.cores.frequency=1e-9 Hz"))
        self.refuse_design("infeasible: precision: ", "v100 does not compute in bf16, only in fp64, fp32, fp16", "strategy",
                           code=3, device="v100", strategy="{precision: bf16}")
        self.refuse_design("infeasible: core: ", "no share of power", code=3, device="chip:v100",
                           flags=("--set", "device.template.core.power=0"))
        self.refuse_design("infeasible: collective: ", "among 4 of the 8 devices", code=3, collectives="rings",
                           memory=None, flags=("--set", "strategy.devices=4"))
        self.refuse_design("infeasible: collective: ", "all_gather", code=3, collectives="double_binary_tree",
                           memory=None, strategy="{parallelism: model, batch: 64}")


if __name__ == "__main__":
    unittest.main()
