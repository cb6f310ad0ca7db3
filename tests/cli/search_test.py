#!/usr/bin/python3
"""`cairn search` finds the best designs of a search space, and explains infeasible ones."""
import csv
import json
import unittest

from program import CliTest

DESIGN = "design: {model: alexnet, device: mc-dla, platform: mc-dla-ring, strategy: {batch: 256}}\n"
COUNTS = {"missed_by", "evaluations", "asked", "pruned", "known_before", "not_tried", "designs", "evaluations_per_s", "device memory"}
UNITS = ("_W", "_J", "_s", "_B", "_USD", "_m2")


class Search(CliTest):
    def written(self, text):
        return self.write("search.yaml", DESIGN + text)

    def test_the_best_design_matches_cairn_run(self):
        offloads, batches = ("none", "everything"), (128, 256)
        found = self.succeed_json("search", self.written(f"vary: {{memory.offload: [{', '.join(offloads)}], strategy.batch: {list(batches)}}}\n"
                                                         "objectives: [time_per_sample]\n"))
        self.check_units(found, UNITS, COUNTS)
        self.assertEqual(found["evaluations"], 4)
        each = []
        for offload in offloads:
            for batch in batches:
                step = self.succeed_json("run", "vgg-e-on-mc-dla", "--set", "model=alexnet", "--set", "platform=mc-dla-ring", "--set", "strategy={}",
                                         "--set", f"strategy.batch={batch}", "--set", "memory={}", "--set", f"memory.offload={offload}")
                each.append(step["step_time_s"] / batch)
        self.assertEqual(found["best"]["metrics"]["time_per_sample_s"], min(each))

    def test_pruning_does_not_depend_on_threads(self):
        everything = self.succeed_json("search", "language-model-strategies", "--set", "algorithm.prune=false")
        self.assertEqual(everything["pruned"], 0)
        for threads in ("1", "2", "4"):
            some = self.succeed_json("search", "language-model-strategies", "--threads", threads)
            self.assertEqual(some["best"], everything["best"])
            self.assertEqual(some["evaluations"] + some["pruned"], everything["evaluations"])
            self.assertGreater(some["pruned"], everything["evaluations"] / 3)

    def test_strategies_follow_the_platform_of_each_trial(self):
        """Of 4, 8 and 16 devices: 3 + 4 + 5 powers of two by model, the rest by data; none that does not fit is tried."""
        file = self.written("vary:\n  platform: ['switch:4@25GB/s,1us', 'switch:8@25GB/s,1us', 'switch:16@25GB/s,1us']\n"
                            "  strategy.spread: {spread: [data, model], stages: [1]}\nalgorithm: {prune: false}\n")
        found = self.succeed_json("search", file, "--detail")
        self.assertEqual(found["evaluations"], 3 + 4 + 5)
        self.assertEqual([], [trial for trial in found["trials"] if not trial.get("metrics")])

    def test_every_split_is_tried_and_invalid_ones_are_counted(self):
        """8 devices as tensor x data x stages: 10 splits. Of those without tensor shards, sequence_parallel is a mistake; 4 heads, and 2 layers of 1
        block beside the table and the head, do not make 8."""
        design = ("design: {model: {network: gpt, layers: 2, hidden: 256, heads: 4, kv_heads: 2, vocab: 1000, seq: 128}, device: a100, platform: 'switch:8@100GB/s,2us', "
                  "strategy: {batch: 64, sequence_parallel: true}}\n")
        file = self.write("search.yaml", design + "vary: {strategy.spread: {spread: [tensor]}}\nalgorithm: {prune: false}\n")
        found = self.succeed_json("search", file, "--detail")
        tried = {trial["settings"]["strategy.spread"]: trial for trial in found["trials"]}
        self.assertEqual(set(tried), {f"tensor-{t}-d{8 // t // p}-p{p}" if t > 1 else f"d{8 // p}-p{p}" for t in (1, 2, 4, 8) for p in (1, 2, 4, 8) if t * p <= 8})
        reasons = {(reason["limit"], reason["detail"]): reason["designs"] for reason in found["infeasible"]}
        self.assertEqual(reasons["strategy", "block0.attention: 2 KV heads < 4 tensor shards"], 2)
        self.assertEqual(reasons["strategy", "block0.attention: 2 KV heads < 8 tensor shards"], 1)
        self.assertEqual(sum(count for (limit, detail), count in reasons.items() if limit == "design" and "needs parallelism: tensor" in detail), 4)
        self.assertTrue(tried["tensor-2-d4-p1"]["feasible"])
        self.assertTrue(tried["tensor-2-d2-p2"]["feasible"])
        text = self.succeed("search", file)
        self.assertRegex(text, r"(?m)^ +2  strategy: block0.attention: 2 KV heads < 4 tensor shards$")
        self.assertRegex(text, r"(?m)^infeasible +4  invalid: .*needs\s+parallelism: tensor$")

    def test_former_names_are_read_with_a_note(self):
        """In the file of the design, in --set and in `vary`; the result is that of the new names."""
        self.write("old.yaml", "model: alexnet\ndevice: mc-dla\nplatform: mc-dla-ring\nstrategy: {batch: 128}\nmemory: {overlay: everything}\nkernels: {issue: 1 us}\n")
        self.write("new.yaml", "model: alexnet\ndevice: mc-dla\nplatform: mc-dla-ring\nstrategy: {batch: 128}\nmemory: {offload: everything}\nlaunch: {issue: 1 us}\n")
        vary = "vary: {strategy.batch: [128, 256]}\n"
        expected = self.succeed_json("search", self.write("n.yaml", "design: new.yaml\n" + vary))["best"]
        self.write("o.yaml", "design: old.yaml\n" + vary)
        for arguments in (["o.yaml"], ["n.yaml", "--set", "design.kernels.issue=1 us"], ["n.yaml", "--set", "design.memory={overlay: everything}"]):
            with self.subTest(arguments):
                done = self.run_here("search", *arguments, "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stderr, r'note: .* is now called "(offload|launch)')
                self.assertEqual(json.loads(done.stdout)["best"], expected)
        self.write("both.yaml", "model: alexnet\ndevice: mc-dla\nplatform: mc-dla-ring\nmemory: {overlay: none, offload: none}\n")
        self.refuse(["run", "both.yaml"], "both.yaml:4: memory.overlay", 'former name of "offload"')

    def test_an_axis_without_valid_strategies_is_an_error(self):
        self.refuse(("search", self.written("vary: {strategy.spred: {spread: [data, model]}}\n")), "search.yaml:2: vary.strategy.spred", "unknown key")

    def test_help_lists_every_key_of_an_axis(self):
        text = self.succeed("search", "--help")
        for key in ("values", "from", "to", "scale", "whole", "budget", "spread", "stages", "when"):
            self.assertRegex(text, rf"(?m)^  {key} ")

    def test_chip_area_matches_cairn_chip(self):
        file = self.write("search.yaml", "design: language-model-on-512-v100\nvary: {strategy.spread: [CR-16-d32]}\nobjectives: [chip_area]\n")
        found = self.succeed_json("search", file)
        chip = self.succeed_json("chip", "v100")
        self.assertAlmostEqual(found["best"]["metrics"]["chip_area_m2"], chip["budgets"]["area"]["used_m2"])

    def test_deepflow_descent_beats_its_start_twofold_and_random_search(self):
        def times(*settings):
            table = self.folder / "trials.csv"
            self.succeed("search", "language-model-chip", *settings, "--csv", str(table))
            with open(table, newline="") as rows:
                return [float(row["step_time_s"]) if row["step_time_s"] else float("inf") for row in csv.DictReader(rows)]
        descent = times("--set", "algorithm.starts=1")
        chance = times("--set", "algorithm.method=random", "--set", "algorithm.trials=1601")
        self.assertLessEqual(len(descent), 1601)
        self.assertLess(2.0 * min(descent), descent[0])
        self.assertLess(min(descent), min(chance))

    def test_column_headings_are_unique(self):
        text = self.succeed("search", "language-model-chip", "--set", "algorithm.starts=1", "--set", "algorithm.steps=1")
        for name in ("core.area", "core.power", "main_memory.area"):
            self.assertIn(name, text)

    def test_designs_are_written_as_input_of_cairn_run(self):
        found = self.succeed_json("search", self.written("vary: {device.memory.bandwidth: {from: 300 GB/s, to: 1200 GB/s}}\n"
                                                         "algorithm: {method: random, trials: 5}\n"), "--out", str(self.folder))
        step = self.succeed_json("run", str(self.folder / "best-1.yaml"))
        self.assertEqual(step["step_time_s"], found["best"]["metrics"]["step_time_s"])

    def test_only_stale_files_of_earlier_searches_are_removed(self):
        longer = self.written("vary: {strategy.batch: [64, 128, 256]}\nobjectives: [step_time, time_per_sample]\n")
        self.succeed("search", longer, "--out", "best")
        self.assertTrue((self.folder / "best" / "best-2.yaml").exists())
        self.write("best/best-7.yaml", "mine: yes\n")
        (self.folder / "best" / "best-8.yaml").write_bytes((self.folder / "best" / "best-2.yaml").read_bytes())
        done = self.run_here("search", self.written("vary: {strategy.batch: [64, 128]}\n"), "--out", "best")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(path.name for path in (self.folder / "best").iterdir()), ["best-1.yaml", "best-7.yaml"])
        self.assertIn("kept 1 file best-N.yaml in", done.stderr)
        self.succeed("run", "best/best-1.yaml")

    def test_unwritable_files_are_rejected_before_evaluation(self):
        file = self.write("search.yaml", DESIGN + "vary: {strategy.batch: {from: 8, to: 4096, whole: true}}\nalgorithm: {method: random, trials: 1000000}\n")
        self.write("plain", "a file")
        for arguments in (("--csv", "no/such/folder.csv"), ("--out", "plain"), ("--out", "plain/best"), ("--plot", "plain"), ("--plot", "plain/pictures"),
                          ("--out", ""), ("--out", "/proc/1/best")):
            self.refuse(("search", file, "--store", "trials.db", *arguments), arguments[0])

    def test_a_late_write_error_follows_the_results(self):
        file = self.written("vary: {strategy.batch: [64, 128]}\n")
        (self.folder / "best" / "best-1.yaml").mkdir(parents=True)
        (self.folder / "pictures" / "convergence-step_time.dat").mkdir(parents=True)
        for arguments in (("--csv", "/dev/full"), ("--out", "best"), ("--plot", "pictures")):
            done = self.run_here("search", file, *arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("2 of 2 designs", done.stdout)
            self.assertTrue(done.stderr.startswith(f"cairn: {arguments[0]}: "), done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)

    def test_axes_of_one_value_may_be_searched_by_any_method(self):
        bandwidth = "device.memory.bandwidth: {from: 100 GB/s, to: 900 GB/s}"
        for fixed in ("strategy.batch: [64]", "strategy.batch: {from: 64, to: 64, whole: true}", "strategy.spread: {spread: [data]}"):
            for objectives, method in (("step_time, memory", "nsga2"), ("step_time", "cma_es"), ("step_time", "differential")):
                found = self.succeed_json("search", self.written(f"vary: {{{fixed}, {bandwidth}}}\nobjectives: [{objectives}]\n"
                                                                 f"algorithm: {{method: {method}, population: 8, generations: 2}}\n"))
                self.assertEqual(found["method"], method)
                self.assertGreater(found["evaluations"], 8)
        self.succeed("search", self.written(f"vary: {{strategy.batch: [64], {bandwidth}}}\nobjectives: [step_time, memory]\nalgorithm: {{generations: 1}}\n"))
        alone = self.succeed_json("search", self.written("vary: {strategy.batch: [64]}\nobjectives: [step_time, memory]\nalgorithm: {method: nsga2}\n"))
        self.assertEqual(alone["evaluations"], 1)

    def test_huge_numbers_are_rejected(self):
        vary = "vary: {device.memory.bandwidth: {from: 100 GB/s, to: 900 GB/s}}\n"
        for objectives, algorithm, *parts in (("[step_time, memory]", "population: 10", "search.yaml:4: algorithm.population", '"10" must be a multiple of 4'),
                                              ("[step_time]", "population: 100000000000", "search.yaml:4: algorithm.population"),
                                              ("[step_time]", "generations: 4294967296", "search.yaml:4: algorithm.generations"),
                                              ("[step_time]", "islands: 100000", "search.yaml:4: algorithm.islands"),
                                              ("[step_time]", "starts: 100000000000", "search.yaml:4: algorithm.starts"),
                                              ("[step_time]", "steps: 100000000000", "search.yaml:4: algorithm.steps"),
                                              ("[step_time]", "trials: 100000000000000", "search.yaml:4: algorithm.trials")):
            file = self.written(vary + f"objectives: {objectives}\nalgorithm: {{{algorithm}}}\n")
            self.refuse(("search", file, "--store", "trials.db"), *parts)

    def test_the_number_of_threads_does_not_matter(self):
        file = self.written("vary: {strategy.batch: {from: 8, to: 512, whole: true, scale: log}, device.memory.bandwidth: {from: 300 GB/s, to: 1200 GB/s}}\n"
                            "objectives: [time_per_sample, memory]\nalgorithm: {population: 16, generations: 3}\n")
        several = [self.succeed_json("search", file, "--detail", "--threads", threads) for threads in ("1", "2", "4")]
        for part in ("trials", "pareto", "best", "evaluations"):
            self.assertEqual(several[0][part], several[1][part])
            self.assertEqual(several[0][part], several[2][part])
        self.assertGreater(len(several[0]["pareto"]), 1)

    def test_unsatisfiable_limits_name_the_nearest_miss(self):
        self.refuse(("search", self.written("vary: {strategy.batch: [128, 256]}\nlimits: {memory: 1 MB}\n")), "search.yaml:3: limits.memory", "none of the 2 designs tried satisfies all limits; the nearest (strategy.batch=128) has", "times the limit of 1 MB", code=3)

    def test_the_most_violated_limit_is_named(self):
        message = self.refuse(("search", self.written("vary: {strategy.batch: [128, 256]}\nlimits:\n  step_time: 10 s\n  memory: 1 MB\n")),
                              "search.yaml:5: limits.memory", code=3)
        self.assertNotIn("step_time", message)

    def test_metrics_without_values_are_named(self):
        self.refuse(("search", self.written("vary: {strategy.batch: [128, 256]}\nobjectives: [cost]\n")), "search.yaml:3: objectives[0]: cost: none of the 2 designs tried has a known value", code=3)
        self.refuse(("search", self.written("vary: {strategy.batch: [128, 256]}\nlimits: {cost: 1 USD}\n")), "search.yaml:3: limits.cost: none of the 2 designs tried has a known value", code=3)

    def test_without_a_feasible_design_the_nearest_miss_is_named(self):
        tries = "vary: {strategy.batch: [4096, 1024, 2048]}\n"
        search = ("search", self.written(tries), "--set", "design.device.memory.capacity=300 MB")
        message = self.refuse(search, "search.yaml:2: vary: none of the 3 designs tried is feasible; the nearest (strategy.batch=1024): device memory", code=3)
        alone = self.refuse(("run", "vgg-e-on-mc-dla", "--set", "model=alexnet", "--set", "platform=mc-dla-ring", "--set", "strategy={batch: 1024}", "--set", "memory={}",
                             "--set", "device.memory.capacity=300 MB"), code=3)
        needs = " needed at "
        self.assertIn(alone.split(needs)[0].split()[-2] + " ", message.split(needs)[0])
        self.assertEqual(self.run_here(*search, "--store", "trials.db").stderr, message)
        self.assertIn("the nearest (strategy.batch=1024): device memory", self.refuse(("search", "--from", "trials.db"), code=3))

    def test_the_nearest_miss_counts_all_memory(self):
        """Of the language model the table alone does not fit where it is not cut, nor do 40 GB where it is."""
        ways = ("RC-1-1-d512", "RC-1-4-d128", "RC-2-2-d128")
        peaks = {way: self.succeed_json("run", "language-model-on-512-v100", "--set", f"strategy.spread={way}", "--set", "memory.capacity=ignored")["peak_memory_B"]
                 for way in ways}
        search = self.write("search.yaml", f"design: language-model-on-512-v100\nvary: {{strategy.spread: [{', '.join(ways)}]}}\n")
        message = self.refuse(("search", search), "none of the 3 designs tried is feasible; the nearest", code=3)
        self.assertIn(f"(strategy.spread={min(peaks, key=peaks.get)}): device memory", message)

    def test_errors_common_to_all_designs_are_reported_before_evaluation(self):
        for starts in ("1", "10"):
            self.refuse(("search", "language-model-chip", "--set", "design.strategy.spread=RC-3-16-d4", "--set", f"algorithm.starts={starts}"),
                        "RC-3-16-d4-p1 uses 192 devices, the design has 64")

    def test_settings_of_the_design_in_a_search_name_the_full_key(self):
        search = self.written("vary: {memory.offload: [none]}\n")
        named = self.write("named.yaml", "design: vgg-e-on-mc-dla\nvary: {memory.offload: [none]}\n")
        for file in (search, named):
            for setting, part in (("design.stratgy.batch=3", "design.stratgy"), ("design.device.memroy.capacity=1 GB", "design.device.memroy"),
                                  ("design.strategy.batch=much", "design.strategy.batch")):
                self.refuse(("search", file, "--set", setting), part)
        few, many = (self.succeed_json("search", named, "--set", f"design.strategy.batch={batch}")["best"]["metrics"]["step_time_s"] for batch in (64, 512))
        self.assertLess(few, many)

    def test_infeasible_designs_have_a_reason(self):
        self.refuse(("search", self.written("vary: {strategy.batch: [3, 5]}\n")), "none of the 2 designs tried is feasible",
                    "3 samples do not divide over 8 replicas (use 8)", code=3)

    def test_invalid_axes_are_rejected_before_evaluation(self):
        """Each would be a search full of designs that cannot be read."""
        bandwidth, place = "device.memory.bandwidth", "search.yaml:2: vary."
        for vary, *parts in (("strategy.bach: [128, 256]", "strategy.bach", "unknown key", '"batch"'),
                             ("strategy.batch: [128, fast]", "strategy.batch[1]", '"fast" is not a number'),
                             ("memory.offload: [none, evrything]", "memory.offload[1]", '"evrything"', '"everything"'),
                             ("platform: [mc-dla-rng, mc-dla-ring]", "platform[0]", "mc-dla-rng"),
                             ("platform: [{topology: ring, devices: 8, bandwidth: fast, latency: 1 us}, mc-dla-ring]", "platform[0]", '"fast" is not a bandwidth'),
                             ("platform: [mc-dla-rng], strategy.spread: {spread: [data]}", "platform", "mc-dla-rng"),
                             ("strategy.stages: [1, -1]", "strategy.stages[1]", '"-1"'),
                             ("a.b..c: [3, 5]", "a.b..c", "is not a key"),
                             ("device.memroy.bandwidth: {from: 1 GB/s, to: 5 GB/s}", "device.memroy.bandwidth", "unknown key", '"memory"'),
                             (f"{bandwidth}: {{from: nan GB/s, to: 5 GB/s}}", f"{bandwidth}.from", "must be finite"),
                             (f"{bandwidth}: {{from: 1 GB/s, to: inf GB/s}}", f"{bandwidth}.to", "must be finite"),
                             (f"{bandwidth}: {{from: 1, to: 5}}", f"{bandwidth}.from", "has no unit"),
                             (f"{bandwidth}: {{from: 0 GB/s, to: 5 GB/s}}", f"{bandwidth}.from", '"0 GB/s"'),
                             (f"{bandwidth}: {{from: 1 GB, to: 5 GB}}", f"{bandwidth}.from", '"1 GB"'),
                             ("strategy.batch: {from: 64, to: 128}", "strategy.batch", "whole"),
                             ("strategy.devices: {from: 1, to: 64, whole: true}", "strategy.devices.to", "more than the platform's 8"),
                             ("strategy.batch: [256, 128, 256.0]", "strategy.batch[2]", '"256.0" is given twice'),
                             ("memory.offload: {values: [none, none]}", "memory.offload.values[1]", '"none" is given twice'),
                             ("strategy.batch: [128], strategy: [{batch: 256}]", "strategy", "strategy.batch"),
                             ("strategy.batch: {values: [128], from: 1, to: 2}", "strategy.batch.from", "values"),
                             ("strategy.batch: {values: [128], whole: true}", "strategy.batch.whole", "values"),
                             ("strategy.batch: {from: 1, to: 2, whole: true, stages: [1]}", "strategy.batch.stages", "from")):
            with self.subTest(vary):
                (self.folder / "trials.db").unlink(missing_ok=True)
                self.refuse(("search", self.written(f"vary: {{{vary}}}\n"), "--store", "trials.db"), place + parts[0], *parts[1:])
                self.assertFalse((self.folder / "trials.db").exists())

    def test_a_second_parallelization_of_a_design_is_rejected(self):
        file = self.write("search.yaml", "design: {model: alexnet, device: mc-dla, platform: mc-dla-ring, strategy: {parallelism: data, batch: 256}}\n"
                                         "vary:\n  strategy.spread: {spread: [data, model]}\n")
        self.refuse(("search", file, "--store", "trials.db"), "search.yaml:3: vary.strategy.spread", "design.strategy.parallelism", 'is already set by "spread"')
        self.assertFalse((self.folder / "trials.db").exists())

    def test_a_repeated_objective_is_rejected(self):
        self.refuse(("search", self.written("vary: {strategy.batch: [128]}\nobjectives: [step_time, memory, step_time]\n")), "search.yaml:3: objectives[2]", '"step_time" is given twice')

    def test_keys_of_other_methods_are_rejected(self):
        # Of each device, so that any batch divides.
        vary = "vary: {strategy.batch_per: [device], strategy.batch: {from: 1, to: 500, whole: true}}\n"
        found = self.succeed_json("search", self.written(vary + "algorithm: {trials: 5, seed: 3}\n"))
        self.assertEqual((found["method"], found["asked"]), ("random", 5))
        for more, method in (("", "cma_es"), ("objectives: [time_per_sample, memory]\n", "nsga2")):
            found = self.succeed_json("search", self.written(vary + more + "algorithm: {population: 8, generations: 1}\n"))
            self.assertEqual(found["method"], method)

    def test_values_valid_in_some_combinations_are_searched(self):
        """Two row shards need `row_column`, which is only one of the choices; a window needs an offload."""
        found = self.succeed_json("search", self.written("vary: {strategy.parallelism: [data, row_column], strategy.tensor_columns: [1, 2]}\nalgorithm: {prune: false}\n"))
        self.assertEqual(found["evaluations"], 4)
        found = self.succeed_json("search", self.written("vary: {strategy.tensor_columns: [2, 4], strategy.parallelism: [data, row_column]}\nalgorithm: {prune: false}\n"))
        self.assertEqual(found["evaluations"], 4)
        self.succeed_json("search", self.written("vary: {memory.offload: [none, everything], memory.window: {from: 1, to: 4, whole: true, when: {memory.offload: everything}}}\n"))
        found = self.succeed_json("search", self.written("vary: {memory.offload: [none, everything], memory.window: [1, 2]}\nalgorithm: {prune: false}\n"))
        self.assertEqual(found["evaluations"], 4)
        self.refuse(("search", self.written("vary: {memory.window: [1, 2]}\n")), "search.yaml:2: vary.memory.window[0]: ", "has no effect")
        self.succeed_json("search", self.written("vary: {strategy.tensor_rows: {from: 1, to: 7, whole: true}, strategy.parallelism: [column_row]}\nalgorithm: {prune: false}\n"))

    def test_errors_name_file_line_and_key(self):
        for text, *parts in (("vary: {}\n", "search.yaml:2: vary: nothing varies"),
                             ("vary: {strategy.batch: 5}\n", "search.yaml:2: vary.strategy.batch", "is not an axis"),
                             ("vary: {strategy.batch: [1]}\nalgorithm: 5\n", "search.yaml:3: algorithm", "is not an algorithm"),
                             ("vary: {strategy.batch: [1]}\nalgorithm: {method: exhaustive, trials: 5}\n", "search.yaml:3: algorithm.trials", "is not used by exhaustive"),
                             ("vary: {strategy.batch: [1]}\nalgorithm: {trials: 5, population: 8}\n", "search.yaml:3: algorithm.population", "is not used by random"),
                             ("vary: {strategy.batch: {from: 1, to: 9000, whole: true}, strategy.micro_batches: {from: 1, to: 9000, whole: true}, device.memory.bandwidth: {from: 1 TB/s, to: 2 TB/s}}\n"
                              "algorithm: {method: gradient_descent}\n", "search.yaml:3", "more than 10000 combinations"),
                             ("vary: {strategy.batch: []}\n", "search.yaml:2: vary.strategy.batch", "has no values"),
                             ("vary: {strategy.batch: {from: 2, to: 1}}\n", "search.yaml:2", "is greater than"),
                             ("vary: {strategy.batch: [1]}\nobjectives: [speed]\n", "search.yaml:3: objectives[0]", "speed"),
                             ("vary: {strategy.batch: [1]}\nlimits: {memory: 5}\n", "search.yaml:3: limits.memory"),
                             ("vary: {strategy.batch: [1]}\nlimits: {memory: -5 GB}\n", "search.yaml:3: limits.memory", "must be greater than 0"),
                             ("vary: {a: {from: 0.6, to: 1, budget: area}, b: {from: 0.6, to: 1, budget: area}}\n", "search.yaml:2: vary", "1.2 of the budget area"),
                             ("vary: {strategy.batch: [1]}\nalgorithm: {method: gradient_descent}\n", "search.yaml:3: algorithm", "no gradient"),
                             ("vary: {strategy.batch: [1]}\nalgorithm: {method: magic}\n", "search.yaml:3: algorithm.method"),
                             ("vari: {}\n", "search.yaml:2: vari")):
            self.refuse(("search", self.written(text)), *parts)
        self.refuse(("search",), "SEARCH: is missing")
        self.refuse(("search", "no-such"), "no-such")

    def test_bundled_searches_are_listed(self):
        names = [item["name"] for item in self.succeed_json("list", "searches")["items"]]
        self.assertIn("language-model-strategies", names)


if __name__ == "__main__":
    unittest.main()
