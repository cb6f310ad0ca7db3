#!/usr/bin/python3
"""`cairn compare` explains why results differ, and rejects what it cannot compare."""
import json
import subprocess
import unittest

from program import PROGRAM, RING, CliTest


class CompareTest(CliTest):
    def keep(self, name, *arguments):
        self.write(name, self.succeed(*arguments, "--json"))
        return name

    def steps(self, *more):
        """Whole maps are saved, so that some of them are recomputed."""
        maps = ("--set", "model.activation_saves=map", "--set", "strategy.batch=64", *more)
        return (self.keep("a.json", "run", "vgg-e-on-dc-dla", *maps), self.keep("b.json", "run", "vgg-e-on-mc-dla", *maps))


class Compare(CompareTest):
    def test_parts_add_up(self):
        a, b = self.steps()
        result = self.succeed_json("compare", a, b)
        whole = result["b"]["step_time_s"] - result["a"]["step_time_s"]
        parts = sum(each["difference_s"] for each in result["differences"])
        self.assertAlmostEqual(parts / whole, 1.0, delta=1e-12)
        self.assertEqual(result["difference_s"], whole)
        for each in result["differences"]:
            self.assertEqual(each["difference_s"], each["b_s"] - each["a_s"])
        self.assertEqual([each["part"] for each in result["differences"]],
                         ["compute", "communication", "memory", "idle"])
        self.assertIn({"key": "platform", "a": "dc-dla", "b": "mc-dla-ring"}, result["settings"])

    def test_against_itself_and_with_results_swapped(self):
        a, b = self.steps("--detail")
        for each in self.succeed_json("compare", a, a)["differences"]:
            self.assertEqual(each["difference_s"], 0.0)
        self.assertIn("the same", self.succeed("compare", a, a))
        forth, back = self.succeed_json("compare", a, b), self.succeed_json("compare", b, a)
        for kind in ("differences", "compute"):
            self.assertTrue(forth[kind])
            for one, other in zip(sorted(forth[kind], key=str), sorted(back[kind], key=str)):
                self.assertEqual(one["part"], other["part"])
                self.assertEqual(one["difference_s"], -other["difference_s"])
        compute = next(each for each in forth["differences"] if each["part"] == "compute")
        self.assertAlmostEqual(sum(each["difference_s"] for each in forth["compute"]), compute["difference_s"], delta=1e-12)

    def test_compute_of_a_pipeline_is_that_of_the_slowest_stage(self):
        a = self.keep("a.json", "run", "gpt-on-dgx-a100", "--detail")
        b = self.keep("b.json", "run", "gpt-on-dgx-a100", "--detail", "--set", "device.cores.utilization=0.5")
        step = self.succeed_json("run", "gpt-on-dgx-a100", "--detail")
        self.assertGreater(step["stages"], 1)
        result = self.succeed_json("compare", a, b)
        for end in ("a_s", "b_s"):
            self.assertAlmostEqual(sum(each[end] for each in result["compute"]) / result["differences"][0][end], 1.0, delta=1e-6)  # times are rounded to picoseconds
        self.assertIn("matmul", [each["part"] for each in result["compute"]])

    def test_text(self):
        a, b = self.steps("--detail")
        text = self.succeed("compare", a, b)
        for words in ("step time", "times as fast", "setting", "where the time goes", "memory", "b - a", "#", "compute by operator"):
            self.assertIn(words, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_settings_have_readable_units(self):
        a = self.keep("a.json", "run", "vgg-e-on-mc-dla")
        b = self.keep("b.json", "run", "vgg-e-on-mc-dla", "--set", "strategy.batch=256")
        text = self.succeed("compare", a, b)
        self.assertRegex(text, r"(?m)^batch +4096 +2048$")
        self.assertNotIn("+0.0 %", text)
        self.assertIn({"key": "batch", "a": "4096", "b": "2048"}, self.succeed_json("compare", a, b)["settings"])
        c, d = (self.keep(f"{size}.json", "collective", "--platform", RING, "--size", f"{size} MB") for size in (4, 8))
        self.assertRegex(self.succeed("compare", c, d), r"(?m)^size +4 MB +8 MB$")

    def test_every_value_of_the_designs_that_differs_is_listed(self):
        """Also values of files that the design names."""
        a = self.keep("a.json", "run", "vgg-e-on-mc-dla")
        b = self.keep("b.json", "run", "vgg-e-on-mc-dla", "--set", "device.memory.bandwidth=1.8 TB/s", "--set", "memory.offload=none")
        self.assertEqual([each["key"] for each in self.succeed_json("compare", a, b)["settings"]],
                         ["device.memory.bandwidth", "memory.offload"])
        self.assertRegex(self.succeed("compare", a, b), r"(?m)^device.memory.bandwidth +900 GB/s +1.8 TB/s$")
        c = self.keep("c.json", "collective", "--platform", RING)
        d = self.keep("d.json", "collective", "--platform", RING, "--set", "latency=7 us")
        self.assertIn({"key": "platform.latency", "a": "500ns", "b": "7 us"}, self.succeed_json("compare", c, d)["settings"])

    def test_values_of_another_device_are_in_json_only(self):
        a = self.keep("a.json", "run", "vgg-e-on-mc-dla")
        b = self.keep("b.json", "run", "vgg-e-on-mc-dla", "--set", "device=h100")
        settings = self.succeed_json("compare", a, b)["settings"]
        self.assertEqual(settings[0]["key"], "device")
        self.assertIn("device.memory.bandwidth", [each["key"] for each in settings])
        text = self.succeed("compare", a, b)
        self.assertRegex(text, r"(?m)^device +\S+ +h100$")
        self.assertNotIn("device.memory", text)
        self.assertIn(f"{len(settings) - 1} more in --json", text)

    def test_equal_key_names_of_different_parts_are_kept_apart(self):
        one = ("run", "vgg-e-on-mc-dla", "--set", "model=rnn-lstm-1")
        a, b = self.keep("a.json", *one), self.keep("b.json", *one, "--set", "steps=2", "--set", "model.steps=10")
        settings = self.succeed_json("compare", a, b)["settings"]
        self.assertEqual([(each["key"], each["b"]) for each in settings], [("steps", "2"), ("model.steps", "10")])

    def test_a_collective_lists_its_group(self):
        some = ("collective", "--platform", "dgx1v", "--size", "8 MB", "--op", "broadcast")
        a, b = self.keep("a.json", *some, "--group", "0-3"), self.keep("b.json", *some, "--group", "0,1,4,5")
        settings = self.succeed_json("compare", a, b)["settings"]
        self.assertIn({"key": "group", "a": "0-3", "b": "0,1,4,5"}, settings)
        self.assertEqual([each for each in settings if each["key"].startswith("device.")], [])  # nobody executes it

    def test_text_shows_a_limited_number_of_values(self):
        a = self.keep("a.json", "run", "vgg-e-on-mc-dla")
        result = self.succeed_json("run", "vgg-e-on-mc-dla")
        for key in list(result["design"])[:20]:
            result["design"][key] += " "
        b = self.write("b.json", json.dumps(result))
        self.assertIn("8 more in --json", self.succeed("compare", a, b))

    def test_collectives(self):
        a = self.keep("a.json", "collective", "--platform", RING, "--algorithm", "ring")
        b = self.keep("b.json", "collective", "--platform", RING, "--algorithm", "ring", "--set", "bandwidth=50 GB/s")
        result = self.succeed_json("compare", a, b)
        self.assertAlmostEqual(sum(each["difference_s"] for each in result["differences"]),
                               result["b"]["time_s"] - result["a"]["time_s"], delta=1e-15)
        self.assertIn("lower bound", self.succeed("compare", a, b))


    def test_designs_are_evaluated(self):
        a, b = self.keep("a.json", "run", "vgg-e-on-dc-dla", "--detail"), self.keep("b.json", "run", "vgg-e-on-mc-dla", "--detail")
        files, designs = self.succeed_json("compare", a, b), self.succeed_json("compare", "vgg-e-on-dc-dla", "vgg-e-on-mc-dla")
        for key in ("differences", "compute", "settings", "links", "difference_s"):
            self.assertEqual(files[key], designs[key], key)
        self.assertEqual(designs["b"]["file"], "vgg-e-on-mc-dla")
        mixed = self.succeed_json("compare", a, "vgg-e-on-mc-dla")
        self.assertEqual(mixed["differences"], files["differences"])
        self.write("mine.yaml", "model: alexnet\ndevice: mc-dla\nplatform: ring:4@25GB/s\nstrategy: {batch: 64}\n")
        self.assertIn("step time", self.succeed("compare", "mine.yaml", b))
        self.refuse(["compare", a, "vgg-e-on-mc-dl"], "vgg-e-on-mc-dla")

    def test_several_results_are_each_compared_with_the_first(self):
        names = ("vgg-e-on-dc-dla", "vgg-e-on-hc-dla", "vgg-e-on-mc-dla")
        result = self.succeed_json("compare", *names)
        self.assertEqual([result[letter]["name"] for letter in "abc"], list(names))
        pair = self.succeed_json("compare", names[0], names[2])
        for one, other in zip(result["differences"], pair["differences"]):
            self.assertEqual((one["part"], one["a_s"], one["c_s"], one["c_difference_s"]),
                             (other["part"], other["a_s"], other["b_s"], other["difference_s"]))
        text = self.succeed("compare", *names, "--report", "page.html")
        self.assertRegex(text, r"(?m)^platform +dc-dla +hc-dla +mc-dla-ring$")
        self.assertTrue((self.folder / "page.html").exists())
        self.refuse(["compare", *(names[:1] * 27)], "27 results", "26")

    def test_examples_in_the_help_run_one_after_the_other(self):
        text = self.succeed("compare", "--help").split("Examples:\n")[1]
        for line in text.splitlines():
            done = subprocess.run(["/bin/bash", "-c", line.strip().replace("cairn ", f"{PROGRAM} ", 1)], cwd=self.folder,
                                  capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), line)
        self.assertTrue((self.folder / "difference.html").exists())


class Refuses(CompareTest):
    def test_a_result_is_not_an_input_of_other_commands(self):
        result = self.keep("a.json", "run", "vgg-e-on-dc-dla")
        for name in (result, "./" + result):
            for verb, what in (("run", "a design"), ("sensitivity", "a design"), ("search", "a search"), ("study", "a study")):
                self.refuse([verb, name], f"a.json: a result of cairn run (expected {what}; cairn compare reads results)")

    def test_invalid_numbers(self):
        a, _ = self.steps()
        whole = json.loads((self.folder / a).read_text())
        text = json.dumps({**whole, "step_time_s": 0.125}, indent=1)
        line = 1 + text[:text.index("step_time_s")].count("\n")
        for number, found in (("1e400", "1e400"), ("-Infinity", "Infinity")):
            self.write("x.json", text.replace("0.125", number))
            self.refuse(["compare", a, "x.json"], f"x.json:{line}: ", found)
        self.write("x.json", text.replace("0.125", "-1.0"))
        self.refuse(["compare", a, "x.json"], "x.json", "step_time_s", "-1")
        parts = whole["breakdown"]
        less = {**parts, "idle_s": -1.0, "compute_s": parts["compute_s"] + parts["idle_s"] + 1.0}
        for changed, *found in (({"breakdown": less}, "breakdown.idle_s", "-1"), ({"links": "x"}, "links", '"x"', "a list"),
                                ({"batch": "Infinity"}, "batch", "Infinity"), ({"model": ["x"]}, "model", "text")):
            self.write("x.json", json.dumps({**whole, **changed}))
            self.refuse(["compare", a, "x.json"], "x.json: ", *found)
            self.refuse(["compare", "x.json", a], "x.json: ", *found)

    def test_control_characters_are_escaped(self):
        a, b = self.steps()
        whole = json.loads((self.folder / b).read_text())
        links = [{**whole["links"][0], "name": "l\x1b[31mred\nnew"}]
        self.write(b, json.dumps({**whole, "name": "x\x1b[31mred\nnew", "bound_by": "b\x1b[31mred\nnew", "links": links,
                                  "platform": "p\x1b[31mred\nnew"}))
        text = self.succeed("compare", a, b)
        for name in "xblp":
            self.assertIn(name + "\\x1b[31mred\\nnew", text)
        self.assertNotIn("\x1b", text)
        text = self.succeed("run", "vgg-e-on-mc-dla", "--set", 'description="x\\e[31mred"')
        self.assertIn("x\\x1b[31mred", text)
        self.write("\x1b[31m.json", "{}")
        self.assertNotIn("\x1b", self.refuse(["compare", a, "\x1b[31m.json"], "\\x1b[31m.json"))

    def test_rounding_is_not_a_difference(self):
        a, b = self.steps("--detail")
        text = self.succeed("compare", a, b)
        self.assertNotRegex(text, r"[-+][0-9.]+ ps")
        self.assertRegex(text, r"(?m)^other .* 0 s  \.{10}$")

    def test_results_that_cannot_be_compared(self):
        a = self.keep("a.json", "run", "vgg-e-on-mc-dla")
        whole = json.loads((self.folder / a).read_text())
        other = self.keep("c.json", "collective", "--platform", RING)
        several = self.keep("s.json", "collective", "--platform", RING, "--size", "1 MB,2 MB")
        listed = self.keep("l.json", "list", "platforms")
        text = self.write("text.json", "step time 3 ms\n")
        cut = self.write("cut.json", json.dumps(whole)[:200])
        older = self.write("older.json", json.dumps({**whole, "cairn_version": "0.0.7"}))
        oldest = self.write("oldest.json", json.dumps({key: value for key, value in whole.items() if key != "cairn_version"}))
        nan = self.write("nan.json", json.dumps({**whole, "step_time_s": "NaN"}))
        bare = self.write("bare.json", json.dumps({**whole, "step_time_s": float("nan")}))
        infinite = self.write("inf.json", json.dumps({**whole, "breakdown": {**whole["breakdown"], "idle_s": "Infinity"}}))
        (self.folder / "folder").mkdir()
        for b, *expected in (("nowhere.json", "nowhere.json", "No such file"), ("folder", "folder", "directory"),
                             (text, "text.json:1", "not JSON"), (cut, "cut.json:1", "not JSON"), (bare, "bare.json", "has NaN"),
                             (older, "older.json", "0.0.7"), (oldest, "oldest.json", "without version"),
                             (other, "c.json", "collective"), (several, "s.json", "several sizes"), (listed, "l.json", "list"),
                             (nan, "nan.json", "step_time_s", "NaN"), (infinite, "inf.json", "breakdown.idle_s", "Infinity")):
            self.refuse(["compare", a, b, "--report", "page.html"], *expected)
            self.refuse(["compare", b, a], *expected[:1])
        self.refuse(["compare", a], "B: is missing")
        self.refuse(["compare"], "A: is missing")


if __name__ == "__main__":
    unittest.main()
