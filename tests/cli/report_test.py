#!/usr/bin/python3
"""--report writes a page with the complete result, or no file."""
import json
import os
import pathlib
import re
import unittest

from program import RING, CliTest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HOSTILE = "</script><b>x & \u2028"
RESULT = re.compile(r'<script type="application/json" id="cairn-result">(.*?)</script>', re.DOTALL)
ABOUT = re.compile(r'<script type="application/json" id="cairn-about">(.*?)</script>', re.DOTALL)
SEARCH = """design: vgg-e-on-mc-dla
vary:
  strategy.batch: [256, 512]
  platform.bandwidth: {from: 25 GB/s, to: 50 GB/s}
objectives: [step_time, memory]
algorithm: {method: random, trials: 6}
"""


class Report(CliTest):
    def page(self, *arguments):
        """The result in the page that is written beside what is printed."""
        done = self.run_here(*arguments, "--report", "page.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = (self.folder / "page.html").read_text()
        found = RESULT.findall(text)
        self.assertEqual(len(found), 1)
        self.assertNotIn("CAIRN_RESULT_HERE", text)
        for refused in "<>&\u2028\u2029":
            self.assertNotIn(refused, found[0])
        self.assertEqual([file.name for file in self.folder.iterdir() if file.suffix in (".html", ".tmp")], ["page.html"])

        def refuse(constant):
            raise ValueError(f"{constant} is not JSON")

        return json.loads(found[0], parse_constant=refuse), done.stdout

    def test_run(self):
        result, text = self.page("run", "vgg-e-on-mc-dla")
        self.assertIn("step time", text)
        self.assertEqual(result["verb"], "run")
        self.assertEqual(result, self.succeed_json("run", "vgg-e-on-mc-dla", "--detail"))
        result, _ = self.page("run", "vgg-e-on-mc-dla", "--sensitivity")
        self.assertEqual(result["elasticities"], self.succeed_json("sensitivity", "vgg-e-on-mc-dla")["elasticities"])
        self.refuse(["run", "vgg-e-on-mc-dla", "--sensitivity"], "--json or --report")

    def test_collective(self):
        arguments = ("collective", "--platform", RING, "--size", "1 MB")
        result, _ = self.page(*arguments)
        self.assertEqual(result, self.succeed_json(*arguments, "--detail"))
        self.assertEqual([each["name"] for each in result["device_classes"]], ["each of 8 devices", "links, busiest first"])
        rows = {each["row"] for each in result["timeline"]}
        self.assertLessEqual({"part 1 of 2, phase 1 of 2, over x+", "part 2 of 2, phase 2 of 2, over x-", "link: x+", "link: x-"}, rows)
        graph = result["platform_graph"]
        self.assertEqual((graph["topology"], len(graph["nodes"]), len(graph["links"])), ("ring", 8, 16))
        # One entry of links[] stands for its members.
        for link in result["links"]:
            alike = [each for each in graph["links"] if abs(each["carried_B"] - link["carried_B"]) < 1.0]
            self.assertGreaterEqual(len(alike), link["members"])
        several, _ = self.page("collective", "--platform", RING, "--size", "1 MB,2 MB")
        self.assertEqual(len(several["results"]), 2)

    def test_every_page_names_its_command(self):
        gemm = str(ROOT / "data/measurements/h200/gemm.csv")
        for arguments in (("platform", "dgx1v"), ("model", "llama-3.1-8b"), ("chip", "v100"), ("sensitivity", "vgg-e-on-mc-dla"),
                          ("kernel", "gemm", "--device", "h200", "--m", "64", "--n", "64", "--k", "64"),
                          ("list", "platforms"), ("run", "vgg-e-on-mc-dla", "--set", "strategy.batch= 64"),
                          ("calibrate", gemm, "--device", "h200", "--out", "mine.yaml")):
            with self.subTest(arguments[0]):
                result, _ = self.page(*arguments)
                self.assertEqual((result["verb"], result["schema_version"]), (arguments[0], 1))
                about = json.loads(ABOUT.findall((self.folder / "page.html").read_text())[0])
                self.assertTrue(about["command"].startswith(f"cairn {arguments[0]} "))
                self.assertTrue(about["command"].endswith(" --report page.html"))
                self.assertRegex(about["date"], r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")
                self.assertTrue(about["shown"]["fields"] or about["shown"]["tables"])
        self.assertIn("--set 'strategy.batch= 64'", self.command("run", "vgg-e-on-mc-dla", "--set", "strategy.batch= 64"))
        self.refuse(["platform", "dgx1v", "--dot", "--report", "other.html"], "--dot", "--report")

    def command(self, *arguments):
        self.page(*arguments)
        return json.loads(ABOUT.findall((self.folder / "page.html").read_text())[0])["command"]

    def test_links_folded_or_not(self):
        for arguments in (("--platform", "dgx1v"), ("--platform", "torus:4x4@25GB/s,500ns", "--algorithm", "hierarchical"),
                          ("--platform", "fat_tree:16@25GB/s,500ns")):
            folded = self.succeed_json("collective", *arguments, "--size", "8 MB", "--detail")
            every = self.succeed_json("collective", *arguments, "--size", "8 MB", "--detail", "--fold", "off")
            for one, other in zip(folded["platform_graph"]["links"], every["platform_graph"]["links"]):
                self.assertAlmostEqual(one["utilization"], other["utilization"], delta=1e-6)
            self.assertTrue(any(link["utilization"] > 0.01 for link in folded["platform_graph"]["links"]))

    def test_study(self):
        result, text = self.page("study", "deepflow-intensity")
        self.assertIn("claim", text)
        self.assertEqual(result["verb"], "study")
        self.assertTrue(result["figures"])
        self.succeed("study", "deepflow-intensity", "--plot", "pictures")
        for figure in result["figures"]:
            self.assertTrue((self.folder / "pictures" / (figure["id"] + ".csv")).exists())
            for series in figure["series"]:
                self.assertEqual(len(series["values"] or series["boxes"]), len(series.get("x") or figure["x"]["values"]))

    def test_detail_does_not_change_a_study(self):
        plain, detailed = (self.succeed_json("study", "deepflow-intensity", *flags) for flags in ((), ("--detail",)))
        self.assertEqual(plain, detailed)
        self.refuse(("study", "deepflow-intensity", "--detail"), "--detail", "--json")

    def test_a_study_without_figures_has_its_tables_in_a_new_folder(self):
        tables = self.succeed_json("study", "deepflow-strategies", "--plot", "new/folder")["tables"]
        self.assertTrue(tables)
        for name in [*tables, "claims"]:
            self.assertTrue((self.folder / "new" / "folder" / f"{name}.csv").exists(), name)
        self.refuse(["study", "deepflow-strategies", "--plot", ""], "--plot")
        self.write("file", "")
        self.refuse(["study", "deepflow-strategies", "--plot", "file"], "--plot")

    def test_search(self):
        self.write("s.yaml", SEARCH)
        result, _ = self.page("search", "s.yaml")
        self.assertEqual(len(result["trials"]), result["evaluations"])
        self.assertEqual([axis["name"] for axis in result["axes"]], ["strategy.batch", "platform.bandwidth"])
        self.assertEqual(result["objectives"], ["step_time_s", "memory_B"])
        best = min(trial["metrics"]["step_time_s"] for trial in result["trials"] if trial["feasible"])
        self.assertEqual(min(each["metrics"]["step_time_s"] for each in result["pareto"]), best)

    def test_names_are_text(self):
        self.write("d.yaml", f"model: alexnet\ndevice: mc-dla\nplatform: {{topology: ring, devices: 4, bandwidth: 25 GB/s, "
                             f"name: {json.dumps(HOSTILE)}}}\nstrategy: {{batch: 256}}\n")
        result, _ = self.page("run", "d.yaml")
        self.assertEqual(result["platform"], HOSTILE)
        self.assertEqual(result["platform_graph"]["name"], HOSTILE)

    def test_links_and_devices(self):
        for flag in ("--trace", "--report"):
            with self.subTest(flag):
                self.refuse(["run", "vgg-e-on-mc-dla", flag, "/dev/full"], flag, "No space left on device")
                self.succeed("run", "vgg-e-on-mc-dla", flag, "/dev/null")
                (self.folder / flag).symlink_to("target" + flag)
                self.succeed("run", "vgg-e-on-mc-dla", flag, f"./{flag}")
                self.assertTrue((self.folder / flag).is_symlink())
                self.assertGreater((self.folder / ("target" + flag)).stat().st_size, 1000)
                (self.folder / ("lost" + flag)).symlink_to("missing/target")
                self.refuse(["run", "vgg-e-on-mc-dla", flag, "lost" + flag], flag, "No such file")
                self.assertTrue((self.folder / ("lost" + flag)).is_symlink())

    def test_unwritable_files_are_rejected_before_running(self):
        self.write("s.yaml", SEARCH)
        self.write("a.json", "not read")
        (self.folder / "taken").mkdir()
        (self.folder / "closed").mkdir(mode=0o555)
        paths = [".", "taken", "taken/", "nowhere/page.html", ""] + (["closed/page.html"] if os.geteuid() else [])
        for verb in (["run", "no such design"], ["collective", "--platform", "no such platform"], ["study", "no such study"],
                     ["search", "s.yaml", "--store", "trials.db"], ["validate", "no.csv"], ["compare", "a.json", "a.json"]):
            for path in paths:
                self.refuse([*verb, "--report", path], "--report")

    def test_a_failed_run_keeps_the_old_page(self):
        self.write("page.html", "before")
        done = self.run_here("run", "vgg-e-on-mc-dla", "--set", "device.memory.capacity=1 MB", "--report", "page.html")
        self.assertEqual(done.returncode, 3)
        self.assertEqual((self.folder / "page.html").read_text(), "before")
        self.assertEqual(len(list(self.folder.iterdir())), 1)


class SameFile(CliTest):
    def test_one_file_for_two_outputs_is_rejected(self):
        """Whichever would be written last would destroy the other."""
        self.write("a.json", "kept")
        run = ("run", "vgg-e-on-mc-dla")
        for arguments, flag in (((*run, "--trace", "x", "--report", "x"), "--report"), ((*run, "--trace", "x", "--report", "./x"), "--report"),
                                ((*run, "--plot", "x", "--trace", "x"), "--plot"), (("study", "mc-dla", "--plot", "x", "--report", "x"), "--report"),
                                (("collective", "--platform", RING, "--trace", "x", "--report", "x"), "--report"),
                                (("search", "vgg-e-placement", "--store", "x", "--csv", "x"), "--csv"),
                                (("search", "vgg-e-placement", "--out", "x", "--plot", "x"), "--out"),
                                (("compare", "a.json", "b.json", "--report", "a.json"), "--report"),
                                (("validate", "a.json", "--device", "h200", "--report", "a.json"), "--report")):
            with self.subTest(arguments):
                self.refuse(arguments, flag, "expected another")
                self.assertEqual([each.name for each in self.folder.iterdir()], ["a.json"])
        self.assertEqual((self.folder / "a.json").read_text(), "kept")


if __name__ == "__main__":
    unittest.main()
