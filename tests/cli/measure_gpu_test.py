#!/usr/bin/python3
"""tools/measure_gpu without a GPU: errors, the design, resumed files, and completeness of the bundled measurements."""
import csv
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from gpu import design, grouped, kinds  # noqa: E402
from gpu.table import Table  # noqa: E402

COLUMNS = {
    "gemm": "dtype,m,n,k,time_us,cache",
    "memory_bound": "op,mbytes_in,time_us,mbytes_moved,cache",
    "conv": "dtype,N,C,H,W,K,R,stride,pad,fwd_us,bwd_us",
    "recurrent": "kind,dtype,hidden,batch,steps,fwd_us,fwdbwd_us",
    "attention": "batch,heads,seq,dim,causal,fwd_us,bwd_us",
    "hostcopy": "op,kbytes,time_us",
    "contention": "pair,work_us,side_us,together_us",
    "interference": "work,stream_blocks,stream_kind,stream_alone_GBps,work_alone_us,stream_alone_us,work_together_us,"
                    "stream_together_us",
    "training": "model,config,dtype,memory,iteration_ms,peak_gib,params,offloaded_gib",
}
FORMER = ("h200",)  # folders of before the design
ON_ONE_GPU = [kind for kind in kinds.NAMES if kind != "collective"]


class Program(unittest.TestCase):
    def run_it(self, *arguments, **environment):
        return subprocess.run([ROOT / "tools" / "measure_gpu", *arguments], capture_output=True, text=True, check=False,
                              env={**os.environ, **environment})

    def test_help_has_an_example(self):
        self.assertIn("tools/measure_gpu --out", self.run_it("--help").stdout)

    def test_an_unknown_kind_is_rejected_before_writing(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_it("--out", f"{folder}/new", "--only", "gem")
            self.assertEqual(done.returncode, 2)
            self.assertIn("'gem'", done.stderr)
            self.assertFalse(pathlib.Path(folder, "new").exists())

    def test_invalid_folders_times_and_counts_are_rejected(self):
        with tempfile.NamedTemporaryFile() as file:
            done = self.run_it("--out", file.name)
            self.assertEqual((done.returncode, "is not a folder" in done.stderr), (2, True))
        for arguments, message in ((("--out", "new", "--seconds", "-1"), "below 0"),
                                   (("--out", "new", "--points", "0"), "below 1"), ((), "--out is missing")):
            done = self.run_it(*arguments)
            self.assertEqual((done.returncode, message in done.stderr), (2, True), done.stderr)

    def test_without_pytorch_or_a_gpu_it_says_so_in_one_line(self):
        for torch, message in (("raise ImportError", "PyTorch is not installed"),
                               ("class cuda:\n    is_available = staticmethod(lambda: False)",
                                "no CUDA device is present")):
            with tempfile.TemporaryDirectory() as folder:
                pathlib.Path(folder, "torch").mkdir()
                pathlib.Path(folder, "torch", "__init__.py").write_text(torch)
                pathlib.Path(folder, "torch", "nn.py").write_text("functional = None")
                done = self.run_it("--out", f"{folder}/new", PYTHONPATH=folder)
                self.assertNotEqual(done.returncode, 0)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn(message, done.stderr)
                self.assertFalse(pathlib.Path(folder, "new").exists())

    def test_the_plan_needs_no_gpu_and_shows_every_kind(self):
        lines = self.run_it("--plan", "--points", "20").stdout.splitlines()[1:]
        self.assertEqual({line.split()[0] for line in lines}, set(ON_ONE_GPU))


class Design(unittest.TestCase):
    def test_points_are_the_same_in_every_run_and_cover_each_axis_evenly(self):
        first, again = (list(itertools.islice(design.points("x", 12), 240)) for _ in range(2))
        self.assertEqual(first, again)
        self.assertNotEqual(first[0], next(design.points("y", 12)))
        for axis in zip(*first):
            for prefix in (60, 240):
                for tenth in range(10):  # 1/10 of each prefix; a base up to 37 leaves this much
                    count = sum(tenth <= 10 * value < tenth + 1 for value in axis[:prefix])
                    self.assertLessEqual(abs(count - prefix / 10), 6)

    def test_every_kind_has_several_hundred_affordable_cases_of_which_a_third_is_held_out(self):
        for kind in ON_ONE_GPU:
            with self.subTest(kind=kind):
                module, cases = kinds.module_of(kind), list(kinds.cases_of(kind, 600))
                self.assertGreater(len(cases), 300)
                held_out = sum(kinds.is_held_out(kind, case) for case in cases) / len(cases)
                self.assertTrue(0.25 < held_out < 0.42, held_out)
                self.assertEqual(set(module.KEY) - set(cases[0]), set())
                self.assertEqual(set(module.KEY) - set(module.COLUMNS), set())
                if kind not in ("training", "power"):
                    self.assertLessEqual(max(module.cost(case)[0] for case in cases), design.MAX_BYTES)

    def test_variants_of_one_shape_are_held_out_together(self):
        for kind in ("chain", "training"):
            sides = {}
            for case in kinds.cases_of(kind, 200):
                shape = tuple(case[name] for name in kinds.module_of(kind).SHAPE)
                sides.setdefault(shape, set()).add(kinds.is_held_out(kind, case))
            self.assertEqual({len(side) for side in sides.values()}, {1})

    def test_tokens_of_experts_add_up(self):
        self.assertEqual(grouped.ends(4096, 4, 0.0), [1024, 2048, 3072, 4096])
        self.assertEqual(grouped.ends(4096, 7, 1.2)[-1], 4096)


class Files(unittest.TestCase):
    def test_a_second_run_resumes_the_first(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "t.csv")
            columns, key = ("op", "size", "time_us"), ("op", "size")
            Table(path, columns, key).add({"op": "add", "size": 1 / 3}, {"time_us": 1.23456789})
            again = Table(path, columns, key)
            self.assertTrue(again.has({"op": "add", "size": 1 / 3}))
            self.assertFalse(again.has({"op": "add", "size": 3}))
            again.add({"op": "add", "size": 3}, {"time_us": 2.0})
            self.assertEqual(path.read_text(), "op,size,time_us\nadd,0.333333,1.23457\nadd,3,2\n")

    def test_bundled_measurements_have_all_columns_and_positive_times(self):
        folders = [path for path in (ROOT / "data" / "measurements").iterdir() if path.is_dir()]
        self.assertTrue(folders)
        for folder in folders:
            self.assertTrue((folder / "machine.yaml").exists(), folder)
            for file in folder.glob("*.csv"):
                if file.stem == "skipped":
                    continue
                with self.subTest(file=file), file.open(newline="") as lines:
                    rows = list(csv.DictReader(lines))
                    expected = COLUMNS[file.stem] if folder.name in FORMER else ",".join(
                        (*kinds.module_of(file.stem).COLUMNS, "clock_MHz", "held_out"))
                    self.assertEqual(",".join(rows[0]), expected)
                    for row in rows:
                        for column, value in row.items():
                            if column.endswith(("_us", "iteration_ms")):
                                self.assertGreater(float(value), 0.0, row)

    def test_held_out_rows_are_those_of_the_design(self):
        for file in (ROOT / "data" / "measurements").glob("*/*.csv"):
            if file.parent.name in FORMER or file.stem == "skipped":
                continue
            with self.subTest(file=file), file.open(newline="") as lines:
                module = kinds.module_of(file.stem)
                measured = {tuple(row[name] for name in module.KEY): int(row["held_out"])
                            for row in csv.DictReader(lines)}
                table = Table(file, module.COLUMNS, module.KEY)
                planned = {table.key_of(case): int(kinds.is_held_out(file.stem, case))
                           for case in kinds.cases_of(file.stem, 2000)}
                self.assertEqual(measured, {key: planned.get(key) for key in measured})


if __name__ == "__main__":
    unittest.main()
