#!/usr/bin/python3
"""The command line: every documented example, text and JSON, and edge cases that are no error."""
import json
import os
import re
import shutil
import subprocess
import unittest

from program import PROGRAM, RING, CliTest, run

COLLECTIVE_KEYS = {"time_s", "lower_bound_s", "bus_bandwidth_Bps", "algorithm", "bound_by", "events", "links",
                   "platform", "op", "size_B", "devices", "chunks", "algorithm_bandwidth_Bps",
                   "sent_per_device_B", "driven_bandwidth_Bps", "simulated_ranks"}
LINK_KEYS = {"name", "members", "bandwidth_Bps", "carried_B", "utilization"}
PLATFORM_KEYS = {"nodes", "links", "rings", "diameter", "bisection_Bps"}


class Help(CliTest):
    def test_every_command_has_help_with_an_example(self):
        for verb in ((), ("run",), ("collective",), ("platform",), ("chip",), ("kernel",), ("study",), ("list",)):
            text = self.succeed(*verb, "--help")
            self.assertRegex(text, r"Examples:\n  cairn ")
            self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_every_study_is_in_the_help(self):
        text = self.succeed("study", "--help")
        for item in self.succeed_json("list", "studies")["items"]:
            self.assertIn(f"cairn study {item['name']}", text)

    def test_examples_in_the_help_run(self):
        for verb in ("run", "collective", "platform", "chip", "list"):
            text = self.succeed(verb, "--help").split("Examples:\n")[1].replace("\\\n", " ")
            for line in text.splitlines():
                command = line.strip().replace("cairn ", f"{PROGRAM} ", 1).split("|")[0]
                done = subprocess.run(["/bin/bash", "-c", command], cwd=self.folder, capture_output=True,
                                      text=True, timeout=60, check=False)
                self.assertEqual(done.returncode, 0, f"{line}: {done.stderr}")
                self.assertNotEqual(done.stdout, "", line)

    def test_version(self):
        self.assertRegex(self.succeed("--version"), r"^cairn \d+\.\d+\.\d+ \(commit [^)]+\)\n$")

    def test_no_command(self):
        self.refuse([], "no command given", "--help")


class Collective(CliTest):
    def test_text_fits_a_terminal_and_has_the_main_results(self):
        text = self.succeed("collective", "--platform", RING, "--op", "all_reduce", "--size", "100 MB")
        for word in ("time", "bus bandwidth", "lower bound", "bound by", "algorithm", "busiest links", "%"):
            self.assertIn(word, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)
        self.assertNotIn("\x1b", text)

    def test_json_keys_and_the_closed_form_of_a_ring(self):
        result = self.succeed_json("collective", "--platform", "ring:16@25GB/s,500ns", "--size", "100 MB",
                                   "--algorithm", "ring", "--chunks", "1")
        self.assertLessEqual(COLLECTIVE_KEYS, result.keys())
        self.assertTrue(result["links"])
        for link in result["links"]:
            self.assertLessEqual(LINK_KEYS, link.keys())
            self.assertLessEqual(link["utilization"], 1.0 + 1e-9)
        # 2 (n - 1) steps of size / n at 25 GB/s, 0.5 us each
        expected = 30 * (100e6 / 16 / 25e9 + 0.5e-6)
        self.assertAlmostEqual(result["time_s"] / expected, 1.0, delta=1e-6)
        self.assertGreaterEqual(result["time_s"], result["lower_bound_s"] * (1 - 1e-9))
        self.assertEqual(result["devices"], 16)

    def test_same_input_same_bytes(self):
        arguments = ("collective", "--platform", "ace-4x4x4", "--size", "1 MB", "--json")
        self.assertEqual(self.succeed(*arguments), self.succeed(*arguments))

    def test_several_sizes(self):
        for sizes in (["--size", "1 MB,2 MB, 4 MB"], ["--size", "1 MB", "--size", "2 MB,4 MB"],
                      ["--size", "1 MB..4 MB"]):
            text = self.succeed("collective", "--platform", RING, *sizes)
            self.assertIn("busbw", text)
            self.assertEqual(len(re.findall(r"^ *[124]000000 ", text, re.MULTILINE)), 3, text)
            results = self.succeed_json("collective", "--platform", RING, *sizes)["results"]
            self.assertEqual([result["size_B"] for result in results], [1e6, 2e6, 4e6])
            self.assertLessEqual(COLLECTIVE_KEYS, results[0].keys())

    def test_trace_opens_as_json(self):
        self.succeed("collective", "--platform", RING, "--size", "1 MB", "--trace", "t.json", "--fold", "off")
        events = json.loads((self.folder / "t.json").read_text())["traceEvents"]
        spans = [event for event in events if event["ph"] == "X"]
        self.assertTrue(spans)
        for span in spans:
            self.assertGreaterEqual(span["ts"], 0)
            self.assertGreaterEqual(span["dur"], 0)
        self.assertEqual([file.name for file in self.folder.iterdir()], ["t.json"])

    def test_folded_and_unfolded_agree(self):
        arguments = ("collective", "--platform", RING, "--size", "1 MB", "--algorithm", "ring")
        folded = self.succeed_json(*arguments)
        every = self.succeed_json(*arguments, "--fold", "off", "--steps")
        self.assertAlmostEqual(folded["time_s"], every["time_s"], delta=1e-12 * every["events"])
        self.assertEqual(every["simulated_ranks"], 8)

    def test_settings_change_the_platform(self):
        slow = self.succeed_json("collective", "--platform", RING, "--algorithm", "ring", "--set", "latency=0 s")
        fast = self.succeed_json("collective", "--platform", RING, "--algorithm", "ring", "--set", "latency=0 s",
                                 "--set", "bandwidth=50 GB/s")
        self.assertAlmostEqual(slow["time_s"] / fast["time_s"], 2.0, delta=1e-6)
        self.assertIn("bandwidth=50 GB/s", fast["platform"])

    def test_a_yaml_file_is_a_platform(self):
        self.write("mine.yaml", "topology: ring\ndevices: 6\nbandwidth: 10 GB/s\n")
        self.assertEqual(self.succeed_json("collective", "--platform", "mine.yaml")["devices"], 6)
        self.assertEqual(self.succeed_json("platform", "./mine.yaml", "--set", "devices=7")["nodes"], 7)

    def test_chunk_size_rounds_up(self):
        result = self.succeed_json("collective", "--platform", RING, "--size", "1 MB", "--chunk-size", "300 kB")
        self.assertEqual(result["chunks"], 4)


class NotErrors(CliTest):
    def test_zero_bytes_and_one_device_take_no_time(self):
        for arguments in (["--size", "0 B"], ["--group", "3"]):
            self.assertEqual(self.succeed_json("collective", "--platform", RING, *arguments)["time_s"], 0.0)
            self.assertIn("0 s", self.succeed("collective", "--platform", RING, *arguments))
        self.succeed("collective", "--platform", RING, "--size", "0 B,1 MB")

    def test_indivisible_sizes_and_odd_counts(self):
        for devices in (2, 3, 5, 7, 13):
            for size in ("1 B", "17 B", "1000003 B"):
                result = self.succeed_json("collective", "--platform", f"ring:{devices}@25GB/s,500ns",
                                           "--size", size)
                self.assertGreater(result["time_s"], 0.0)
                self.assertGreaterEqual(result["time_s"], result["lower_bound_s"] * (1 - 1e-9))


class Platform(CliTest):
    def test_every_preset_has_text_json_and_a_picture(self):
        items = self.succeed_json("list", "platforms")["items"]
        self.assertIn("dgx1v", [item["name"] for item in items])
        for item in items:
            text = self.succeed("platform", item["name"])
            self.assertLessEqual(max(map(len, text.splitlines())), 100)
            self.assertLessEqual(PLATFORM_KEYS, self.succeed_json("platform", item["name"]).keys())
        self.assertRegex(self.succeed("platform", "dgx1v", "--dot"), r"^(di)?graph ")

    def test_mc_dla_as_published(self):
        # Fig. 7 of the paper: rings of 8/8/24, 8/12/20, 16/16/16 hops, 8/8/0 idle links, 50/50/150 GB/s
        for name, hops, idle, bandwidth in (("mc-dla-star-a", [8, 8, 24], 8, 50e9),
                                            ("mc-dla-star-b", [8, 12, 20], 8, 50e9),
                                            ("mc-dla-ring", [16, 16, 16], 0, 150e9)):
            facts = self.succeed_json("platform", name)
            self.assertEqual(sorted(ring["hops"] for ring in facts["rings"]), hops, name)
            self.assertEqual(facts["idle_links"], idle, name)
            self.assertAlmostEqual(facts["device_to_memory_Bps"], bandwidth, delta=1.0, msg=name)


class List(CliTest):
    def test_all_kinds(self):
        overview = self.succeed("list")
        known = self.succeed("list", "--help")
        for kind in re.findall(r"(?m)^([a-z]+)  +", overview):
            self.assertRegex(known, rf"\b{kind}\b")
        for kind, one in (("designs", "vgg-e-on-mc-dla"), ("models", "vgg-e"), ("networks", "resnet"),
                          ("layers", "convolution"), ("devices", "mc-dla"), ("chips", "v100"), ("strategies", "model"), ("technologies", "hbm3"),
                          ("endpoints", "cores"), ("platforms", "dgx1v"),
                          ("topologies", "torus"), ("collectives", "all_reduce"), ("algorithms", "ring")):
            self.assertRegex(overview, rf"(?m)^{kind} ")
            text = self.succeed("list", kind)
            self.assertRegex(text, rf"(?m)^{one} +\w")
            self.assertLessEqual(max(map(len, text.splitlines())), 100)
            items = {item["name"]: item for item in self.succeed_json("list", kind)["items"]}
            self.assertEqual(items[one]["kind"], kind)
            for item in items.values():
                self.assertNotEqual(item["description"], "", item)

    def test_the_parameters_of_networks_and_layers(self):
        self.assertIn("bottleneck", self.succeed("list", "networks", "resnet"))
        self.assertIn("kernel", self.succeed("list", "layers", "convolution"))
        self.assertIn("file: ", self.succeed("list", "models", "vgg-e"))

    def test_the_parameters_of_a_topology(self):
        self.assertIn("bandwidth", self.succeed("list", "topologies", "torus"))
        self.assertIn("dragonfly", self.succeed("list", "topologies", "--verbose"))

    def test_without_data_errors_say_where_it_was_looked_for(self):
        (self.folder / "bin").mkdir()
        program = shutil.copy(PROGRAM, self.folder / "bin" / "cairn")
        for kind, *arguments in (("designs", "run", "vgg-e-on-dc-dla"), ("platforms", "platform", "dgx1v"), ("chips", "chip", "v100"),
                                 ("endpoints", "collective", "--platform", RING), ("", "list", "designs"), ("", "list", "devices", "h100")):
            done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60, check=False,
                                  env={key: value for key, value in os.environ.items() if key != "CAIRN_DATA"})
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            folder = self.folder / "share" / "cairn" / kind
            self.assertIn(f'(no files in "{folder}"; set CAIRN_DATA to the data folder)\n', done.stderr)

    def test_own_presets_come_first(self):
        (self.folder / "platforms").mkdir()
        self.write("platforms/mine.yaml", "topology: ring\ndevices: 5\nbandwidth: 1 GB/s\ndescription: own\n")
        self.write("platforms/dgx1v.yaml", "topology: ring\ndevices: 3\nbandwidth: 1 GB/s\n")
        own = {"CAIRN_DATA": str(self.folder)}
        self.assertEqual(self.succeed_json("platform", "mine", env=own)["nodes"], 5)
        self.assertEqual(self.succeed_json("platform", "dgx1v", env=own)["nodes"], 3)
        names = [item["name"] for item in self.succeed_json("list", "platforms", env=own)["items"]]
        self.assertIn("mine", names)
        self.assertIn("dgx2", names)
        done = run("list", "platforms", env={"CAIRN_DATA": "/nowhere"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("CAIRN_DATA", done.stderr)


if __name__ == "__main__":
    unittest.main()
