#!/usr/bin/python3
"""tools/measure_gpu without a GPU: errors, resumed files, and completeness of the bundled measurements."""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

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


    def test_invalid_folders_and_times_are_rejected(self):
        with tempfile.NamedTemporaryFile() as file:
            done = self.run_it("--out", file.name)
            self.assertEqual((done.returncode, "is not a folder" in done.stderr), (2, True))
        done = self.run_it("--out", "new", "--seconds", "-1")
        self.assertEqual((done.returncode, "below 0" in done.stderr), (2, True))

    def test_without_pytorch_or_a_gpu_it_says_so_in_one_line(self):
        for torch, message in (("raise ImportError", "PyTorch is not installed"),
                               ("class cuda:\n    is_available = staticmethod(lambda: False)", "no CUDA device is present")):
            with tempfile.TemporaryDirectory() as folder:
                pathlib.Path(folder, "torch.py").write_text(torch)
                done = self.run_it("--out", f"{folder}/new", PYTHONPATH=folder)
                self.assertNotEqual(done.returncode, 0)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn(message, done.stderr)
                self.assertFalse(pathlib.Path(folder, "new").exists())


class Files(unittest.TestCase):
    def test_a_second_run_resumes_the_first(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "t.csv")
            Table(path, ("op", "size", "time_us"), ("op", "size")).add({"op": "add", "size": 2}, {"time_us": 1.23456789})
            again = Table(path, ("op", "size", "time_us"), ("op", "size"))
            self.assertTrue(again.has({"op": "add", "size": 2}))
            self.assertFalse(again.has({"op": "add", "size": 3}))
            again.add({"op": "add", "size": 3}, {"time_us": 2.0})
            self.assertEqual(path.read_text(), "op,size,time_us\nadd,2,1.23457\nadd,3,2\n")

    def test_bundled_measurements_have_all_columns_and_positive_times(self):
        folders = [path for path in (ROOT / "data" / "measurements").iterdir() if path.is_dir()]
        self.assertTrue(folders)
        for folder in folders:
            self.assertTrue((folder / "machine.yaml").exists(), folder)
            for file in folder.glob("*.csv"):
                with self.subTest(file=file), file.open(newline="") as lines:
                    rows = list(csv.DictReader(lines))
                    self.assertEqual(",".join(rows[0]), COLUMNS[file.stem])
                    for row in rows:
                        for column, value in row.items():
                            if column.endswith(("_us", "_ms")):
                                self.assertGreater(float(value), 0.0, row)


if __name__ == "__main__":
    unittest.main()
