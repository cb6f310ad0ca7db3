#!/usr/bin/python3
"""Invalid input is rejected: exit 2, one line that names file, line and key or the flag, no files left behind."""
import ctypes
import os
import resource
import subprocess
import unittest

from program import PROGRAM, RING, CliTest

GOOD = "topology: ring\ndevices: 8\nbandwidth: 25 GB/s\n"


def read_only_what_is_mine():
    """Takes from root what lets it read every file (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH) in the program to come."""
    drop_from_bounding_set = 24  # PR_CAPBSET_DROP
    if os.geteuid() == 0:
        for capability in (1, 2):
            if ctypes.CDLL(None).prctl(drop_from_bounding_set, capability, 0, 0, 0) != 0:
                raise OSError("prctl")


def collective(*arguments, platform=RING):
    return ["collective", "--platform", platform, *arguments]


class Flags(CliTest):
    def test_unknown_flags_and_commands_suggest_the_nearest(self):
        self.refuse(collective("--siz", "1 MB"), "--siz", "--size")
        self.refuse(collective("--siz=1 MB"), "--siz", "--size")
        self.refuse(["colective"], "colective", "collective")
        self.refuse(["--frobnicate"], "--frobnicate")
        self.refuse(["platform", "dgx1v", "dgx2"], "dgx2")
        self.refuse(["list", "platfroms"], "platforms")
        self.refuse(["list", "topologies", "tours"], "torus")
        self.refuse(["list", "devices", "h101"], "h101", "did you mean \"h100\"?")

    def test_unknown_commands_have_no_help(self):
        for flag in ("--help", "-h", "--version"):
            self.refuse(["colective", flag], '"colective" is not a command', "collective")
            self.refuse([flag, "colective"], '"colective" is not a command', "collective")
            self.refuse(["--frobnicate", flag], '"--frobnicate" is not a flag')
        self.refuse(["colective", "collective", "--help"], '"colective" is not a command')

    def test_a_second_command(self):
        self.refuse(collective("list"), '"list" is not expected')
        self.refuse(["list", "collective"], "KIND", '"collective"', "collectives")
        self.refuse(["list", "platforms", "collective"], "NAME", '"collective"')

    def test_missing_repeated_and_unexpected_values(self):
        for flag, kind in (("--platform", "P"), ("--op", "OP"), ("--size", "SIZE"), ("--algorithm", "A"),
                           ("--group", "DEVICES"), ("--root", "N"), ("--chunks", "N"), ("--chunk-size", "SIZE"),
                           ("--window", "N"), ("--fold", "on|off"), ("--set", "KEY=VALUE"), ("--trace", "FILE")):
            see = "; see cairn collective --help\n"
            for last in (flag, flag + "="):
                self.refuse(collective(last), f"cairn: {flag}: found no value (expected {flag} {kind}){see}")
            self.refuse(collective(flag, "--json"),
                        f'cairn: {flag}: found the flag "--json" (expected {kind} before it){see}')
            if flag not in ("--size", "--set"):
                self.refuse(["collective", flag, "this", flag, "that"],
                            f'cairn: {flag}: found "this" and "that" (expected one){see}')
        self.refuse(["platform", RING, "--set"], "--set: found no value", "see cairn platform --help")
        for verb, flag in ((collective(), "--json"), (collective(), "--steps"), (["platform", RING], "--dot"),
                           (["list"], "--verbose")):
            for value in ("maybe", "2", "1", "false", "-1"):
                self.refuse([*verb, f"{flag}={value}"], f'{flag}: found "{value}" (expected no value)')

    def test_missing_and_conflicting_flags(self):
        self.refuse(["collective"], "--platform")
        self.refuse(["platform"], "PLATFORM: is missing")
        self.refuse(collective("--chunks", "2", "--chunk-size", "1 kB"), "--chunk")
        self.refuse(["platform", RING, "--json", "--dot"], "--dot")
        self.refuse(collective("--size", "1 MB,2 MB", "--trace", "t.json"), "--trace")

    def test_sizes(self):
        for size in ("-5MB", "-5 MB", "5", "5 parsecs", "nan", "nan B", "inf B", "1e999 B", "", " ", "5 GB/s", "MB",
                     "1 MB,,2 MB", "2 MB..1 MB", "0 B..1 MB", "1 MB..", "1 KB", "1e-300 B..1e300 B"):
            self.refuse(collective("--size", size), "--size")
        for size in ("0.5 B", "0.0009 kB", "0.5 B..4 B", "1 MB,0.5 B"):
            self.refuse(collective("--size", size), "--size", "less than a byte (expected 0 B, or 1 B or more)")

    def test_counts(self):
        for flag in ("--chunks", "--window"):
            for count in ("0", "-1", "1.5", "x", "", "1e3", "10000001", "4294967297", "99999999999999999999"):
                self.refuse(collective(flag, count), flag)
        for root in ("8", "-1", "x", "4294967296"):
            self.refuse(collective("--op", "broadcast", "--root", root), "--root")
        for size in ("0 B", "-1 B", "64", "x", "1e-9 B", "1 s"):
            self.refuse(collective("--chunk-size", size), "--chunk-size")

    def test_groups(self):
        for group in ("99", "0-8", "5-2", "0,0", "0-3,2", "", ",", "a", "-1", "1-", "0-99999999999", "1.5"):
            self.refuse(collective("--group", group), "--group")
        self.refuse(collective("--group", "99"), "device 99 does not exist", "0 to 7")
        self.refuse(collective("--op", "send_receive"), "--group")

    def test_names(self):
        self.refuse(collective("--op", "all_redce"), "--op", "all_reduce")
        self.refuse(collective("--algorithm", "rng"), "--algorithm", "ring")
        self.refuse(collective("--algorithm", "rng", "--group", "0"), "--algorithm")
        self.refuse(collective("--algorithm", "ring", "--op", "all_to_all"), "ring cannot do all_to_all", "use direct", code=3)
        self.refuse(collective("--fold", "maybe"), "--fold", "off")

    def test_settings(self):
        for setting in ("nonsense", "=1", "bandwidth=fast", "bandwidht=1 GB/s", "devices=-1", "devices=[1", "a.b=1"):
            self.refuse(collective("--set", setting), "--set")
            self.refuse(["platform", "dgx1v", "--set", setting], "--set")
        self.refuse(collective("--set", "bandwidht=1 GB/s"), "bandwidth")

    def test_traces_that_cannot_be_written(self):
        for file in ("missing/t.json", "", ".", "/dev/full", "/proc/nope/t.json"):
            self.refuse(collective("--size", "1 kB", "--trace", file), "--trace")


class Platforms(CliTest):
    def test_unknown_and_incomplete(self):
        self.refuse(collective(platform="rign:8@25GB/s"), "--platform", "ring")
        self.refuse(collective(platform="dgx1w"), "--platform", "dgx1v")
        self.refuse(["platform", "torsu:4x4@25GB/s"], "torus")
        self.refuse(collective(platform=""), "--platform")
        self.refuse(collective(platform="ring"), "--platform", "ring:8")
        self.refuse(collective(platform="ring:8"), "bandwidth")
        self.refuse(collective(platform="nowhere.yaml"), "nowhere.yaml")
        self.refuse(collective(platform="./"), "./")

    def test_wrong_values_inline(self):
        for platform, key in (("ring:0@25GB/s", "devices"), ("ring:-8@25GB/s", "devices"),
                              ("ring:x@25GB/s", "devices"), ("ring:8x8x8@25GB/s", "dims"),
                              ("ring:8@25GB", "bandwidth"), ("ring:8@25", "bandwidth"),
                              ("ring:8@0GB/s", "bandwidth"), ("ring:8@-1GB/s", "bandwidth"),
                              ("ring:8@25GB/s,-1ns", "latency"), ("ring:8@25GB/s,1ns,25GB/s", "latency"),
                              ("torus:4x4@1GB/s,2GB/s,3GB/s", "bandwidth"), ("torus:4x0@25GB/s", "dims")):
            self.refuse(collective(platform=platform), key)

    def test_too_many_devices_with_the_memory_they_would_need(self):
        for platform in ("ring:1000000000000@25GB/s", "torus:1000000x1000000@25GB/s",
                         "fully_connected:1000000000000@25GB/s", "torus:99999999999x99999999999x999999999@1GB/s"):
            message = self.refuse(collective(platform=platform), platform)
            self.assertRegex(message, r"\d [kMGTPEZY]?B\b")
        self.refuse(collective(platform="ring:99999999999999999999999@25GB/s"), "devices")
        self.refuse(collective(platform="ring:100000000@25GB/s"), "100,000,000 devices", "expected at most 268.4 MB")

    def test_settings_obey_the_limits(self):
        self.refuse(collective("--set", "devices=1000000000000"), "--set", "devices")


class Files(CliTest):
    def refuse_file(self, content, *expected):
        self.write("p.yaml", content)
        self.refuse(collective(platform="p.yaml"), "p.yaml", *expected)
        self.refuse(["platform", "p.yaml", "--set", "name=mine"], "p.yaml", *expected)

    def test_not_a_platform(self):
        for content in ("", "\n\n", "# nothing\n", "just words\n", "[1, 2]\n", "---\n...\n"):
            self.refuse_file(content)

    def test_binary(self):
        self.refuse_file(bytes(range(256)))
        self.refuse_file(b"\x7fELF\x02\x01\x01" + bytes(1000))
        self.refuse_file(b"topology: ring\x00\n")
        self.refuse_file(b"topology: \xff\xfe\n", "p.yaml:1")

    def test_syntax(self):
        self.refuse_file("topology: [ring\n")
        self.refuse_file("topology: ring\n  devices: 8\n")
        self.refuse_file("a: {b: {c: \n")
        self.refuse_file("topology: \"ring\n")

    def test_keys_name_the_line(self):
        self.refuse_file(GOOD + "devcies: 9\n", "p.yaml:4: devcies", "devices")
        self.refuse_file(GOOD + "devices: 9\n", "p.yaml:4", "devices")
        self.refuse_file("topology: rign\ndevices: 8\nbandwidth: 1 GB/s\n", "p.yaml:1: topology", "ring")
        self.refuse_file(GOOD.replace("25 GB/s", "25 GB"), "p.yaml:3: bandwidth", "25 GB")
        self.refuse_file(GOOD.replace("25 GB/s", "25"), "p.yaml:3: bandwidth")
        self.refuse_file(GOOD.replace("25 GB/s", "0 B/s"), "p.yaml:3: bandwidth")
        self.refuse_file(GOOD.replace("25 GB/s", "{a: 1}"), "p.yaml:3: bandwidth")
        self.refuse_file(GOOD.replace("8", "1000000000000"), "p.yaml:2: devices")
        self.refuse_file("devices: 8\n", "topology")

    def test_exponential_anchors(self):
        text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for i in range(1, 12):
            text += f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n"
        self.refuse_file(text)
        self.refuse_file("a: &a [*a]\n")

    def test_deep_nesting(self):
        self.refuse_file("[" * 100000)
        self.refuse_file("topology: " + "[" * 5000 + "]" * 5000 + "\n")

    def test_graphs(self):
        graph = "topology: graph\nnodes: [{name: gpu, count: 3}]\nlinks:\n"
        link = "  - {from: gpu0, to: gpu1, bandwidth: 1 GB/s}\n"
        self.refuse_file(graph + link, "unreachable")
        self.refuse_file(graph + link + link.replace("gpu1", "gpu9"), "p.yaml:5: links[1].to", "gpu9")
        self.refuse_file(graph + link + link.replace("1 GB/s", "0 B/s"), "p.yaml:5: links[1].bandwidth")
        self.refuse_file(graph + link + link.replace("to:", "ot:"), "p.yaml:5: links[1]", "to")

    def test_protocols(self):
        start = "topology: switch\ndevices: 4\nbandwidth: 1 GB/s\nprotocols:\n"
        self.refuse_file(start + "- {name: a, efficiency: 2}\n", "p.yaml:5: protocols[0].efficiency")
        self.refuse_file(start + "- {name: a}\n- {start: 1 us}\n", "p.yaml:6: protocols[1]", "name")
        self.refuse_file(start + "- {name: a, copy: 0 B/s}\n", "p.yaml:5: protocols[0].copy")
        for names in ("ops: [all_reduc]", "algorithms: [rin]"):
            self.write("p.yaml", start + f"- {{name: a, {names}}}\n")
            self.refuse(collective(platform="p.yaml"), "p.yaml:5: protocols[0]", "did you mean")

    def test_a_folder_and_a_missing_file(self):
        (self.folder / "d.yaml").mkdir()
        self.refuse(collective(platform="d.yaml"), "d.yaml")
        self.refuse(collective(platform="none.yaml"), "none.yaml")
        self.refuse(collective("--set", "devices=4", platform="none.yaml"), "none.yaml")

    def test_an_unreadable_file(self):
        self.write("p.yaml", GOOD)
        (self.folder / "p.yaml").chmod(0)
        done = subprocess.run([PROGRAM, *collective(platform="p.yaml")], cwd=self.folder, capture_output=True,
                              text=True, timeout=60, check=False, preexec_fn=read_only_what_is_mine)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "cairn: p.yaml: cannot be read: Permission denied\n")

    def test_graphs_with_memory_nodes(self):
        graph = ("topology: graph\nnodes:\n- {name: d, count: 2}\n- {name: m, kind: memory_node%s}\n"
                 "links: [{from: d, to: m, bandwidth: 25 GB/s}]\n")
        self.refuse_file(graph % "" + "memory_node: {dimm: rdimm-9}\n", "p.yaml:6: memory_node.dimm", "rdimm-8")
        self.refuse_file(graph % ", memory_node: {dimms: 0}", "p.yaml:4: nodes[1].memory_node.dimms")
        self.refuse_file(graph.replace("memory_node", "switch") % "" + "memory_node: {dimms: 4}\n",
                         "p.yaml:6: memory_node: has no effect")


class Studies(CliTest):
    def test_a_study_of_another_name_has_other_keys(self):
        for name in ["intensity", "strategies", "technology"]:
            self.refuse(["study", f"deepflow-{name}", "--set", "study=mc-dla"], f"deepflow-{name}.yaml", "unknown key")

    def test_unknown_assumptions_suggest_the_nearest(self):
        for setting in ("assumptions.precison=fp32", "assumptions.precison.value=fp32"):
            self.refuse(["study", "mc-dla", "--set", setting],
                        '--set: assumptions.precison: no such assumption (did you mean "precision"?)')

    def test_unusable_values_of_a_study(self):
        for setting, *expected in (("assumptions.devices_per_uplink.value=3", "devices_per_uplink", "1, 2 or 4"),
                                   ("assumptions.lstm_1_hidden.value=0", "lstm_1_hidden.value", "at least 1"),
                                   ("assumptions.batch.value=0.5", "assumptions.batch.value"),
                                   ("generations=[]", "generations", "no devices"),
                                   ("capacity.device_memory=1 MB", "capacity", "does not train")):
            self.refuse(["study", "mc-dla", "--set", setting], *expected)


class Models(CliTest):
    def test_batches_are_whole(self):
        for batch in ("3.7", "0.5", "0"):
            self.refuse(["run", "vgg-e-on-dc-dla", "--set", f"strategy.batch={batch}"], "strategy.batch", "whole")

    def test_batches_that_are_too_large(self):
        self.refuse(["run", "vgg-e-on-dc-dla", "--set", "strategy.batch=1000000000"],
                    "infeasible: batch: 8,000,000,000 samples make a tensor of", "(--set: strategy.batch)", code=3)
        self.refuse(["kernel", "relu", "--device", "h200", "--input", "{channels: 1000000}", "--batch", "4000000000"],
                    "--batch: 4,000,000,000 samples make a tensor of 4e+15 elements")

    def test_networks_that_are_too_large(self):
        for network in ("{network: recurrent, steps: 100000000}", "{network: video, frames: 1000000}",
                        "{input: {channels: 1, steps: 4000000000}, layers: [{type: lstm, hidden: 4}]}"):
            self.refuse(["run", "vgg-e-on-dc-dla", "--set", f"model={network}"], "model", "expected at most 100000")


class Outputs(CliTest):
    """No output replaces a file that an input names; the output of an earlier run is replaced."""

    def setUp(self):
        super().setUp()
        device = self.folder / "mydev.yaml"
        device.write_text("cores: {count: 8, frequency: 1 GHz, matrix: {fp16: 2048 flop}, vector: 64 flop}\n"
                          "memory: {capacity: 16 GiB, bandwidth: 900 GB/s}\n")
        self.write("d.yaml", "model: alexnet\ndevice: mydev.yaml\nplatform: dgx1v\nstrategy: {batch: 64}\n")
        self.write("s.yaml", "design: d.yaml\nvary: {strategy.batch: [64, 128]}\nobjectives: [step_time]\n")

    def refuse_output(self, arguments, *expected):
        before = {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        self.refuse(arguments, *expected)
        self.assertEqual({path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}, before)

    def test_files_that_inputs_name_are_kept(self):
        for flag in ("--trace", "--report"):
            self.refuse_output(["run", "d.yaml", flag, "mydev.yaml"],
                               f'{flag}: "mydev.yaml" is also given as d.yaml:2: device (expected another path)')
        (self.folder / "link.json").symlink_to("mydev.yaml")
        self.refuse_output(["run", "d.yaml", "--trace", "link.json"], "--trace", "d.yaml:2: device")
        self.refuse_output(["run", "gpt-on-h200", "--set", "device=mydev.yaml", "--trace", "mydev.yaml"],
                           "--trace", "--set: device")
        self.refuse_output(["run", "d.yaml", "--trace", "d.yaml"], "--trace", "DESIGN")
        self.refuse_output(["search", "s.yaml", "--csv", "d.yaml"], "--csv", "s.yaml:1: design")
        self.refuse_output(["search", "s.yaml", "--csv", "mydev.yaml"], "--csv", "d.yaml:2: device")

    def test_devices_and_endpoints_of_flags_are_kept(self):
        self.write("gemm.csv", "m,n,k\n")
        calibrate = ["calibrate", "gemm.csv", "--device", "mydev.yaml"]
        self.refuse_output([*calibrate, "--out", "mydev.yaml"], "--out", "--device")
        self.refuse_output([*calibrate, "--out", "gemm.csv"], "--out", "FILES")
        self.write("e.yaml", "executor: ideal\n")
        self.refuse_output(collective("--endpoint", "e.yaml", "--trace", "e.yaml"), "--trace", "--endpoint")

    def test_data_that_inputs_name_is_kept(self):
        (self.folder / "devices").mkdir()
        (self.folder / "mydev.yaml").rename(self.folder / "devices" / "mydev.yaml")
        self.write("d.yaml", "model: alexnet\ndevice: mydev\nplatform: dgx1v\nstrategy: {batch: 64}\n")
        done = self.run_here("run", "d.yaml", "--trace", "devices/mydev.yaml", env={"CAIRN_DATA": str(self.folder)})
        self.assertEqual(done.returncode, 2)
        self.assertIn("d.yaml:2: device", done.stderr)

    def test_a_search_keeps_the_design_it_varies(self):
        self.succeed("search", "s.yaml", "--out", "best")
        self.succeed("search", "s.yaml", "--out", "best")
        self.write("s.yaml", "design: best/best-1.yaml\nvary: {strategy.batch: [64, 128]}\nobjectives: [step_time]\n")
        self.refuse_output(["search", "s.yaml", "--out", "best"],
                           '--out: "best/best-1.yaml" is also given as s.yaml:1: design (expected another folder)')

    def test_outputs_of_an_earlier_run_are_replaced(self):
        for _ in range(2):
            self.succeed("run", "d.yaml", "--trace", "trace.json", "--report", "page.html")
            self.succeed("search", "s.yaml", "--csv", "trials.csv")


class StandardOutput(CliTest):
    def test_a_closed_pipe_is_no_error(self):
        for arguments in (collective(), ["list"], ["--help"], collective("--json", "--size", "1 kB..1 GB")):
            reader, writer = os.pipe()
            os.close(reader)
            done = self.run_here(*arguments, stdout=writer)
            os.close(writer)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_closed_descriptors_are_no_error(self):
        for redirection in (">&-", "<&- >&-", "<&- >&- 2>&-"):
            done = subprocess.run(["/bin/bash", "-c", f'"$0" collective --platform {RING} --trace t.json {redirection}',
                                   PROGRAM], cwd=self.folder, capture_output=True, text=True, timeout=60,
                                  check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertTrue((self.folder / "t.json").read_text().endswith("]}\n"))

    def test_a_full_disk_is_an_error(self):
        for arguments in (collective(), ["list"], ["--help"], ["--version"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = self.run_here(*arguments, stdout=full)
            self.assertEqual(done.returncode, 2)
            self.assertIn("standard output", done.stderr)


class Memory(CliTest):
    @unittest.skipIf(os.environ.get("CAIRN_SANITIZED") == "1", "sanitizers need all the address space")
    def test_too_little_memory_is_infeasible(self):
        limit = 200 << 20
        done = subprocess.run([PROGRAM, "platform", "ring:3000000@25GB/s"], capture_output=True, text=True,
                              timeout=60, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, r"^cairn: infeasible: memory: ")


if __name__ == "__main__":
    unittest.main()
