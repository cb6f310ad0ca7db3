#!/usr/bin/python3
"""Does the check of docs/validation.md notice an error that has risen, and rows that are gone?"""
import importlib.machinery
import importlib.util
import pathlib
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "make_validation"
PAGE = "## a\n\n| x | times | mean |\n|---|---|---|\n| one | 10 | 5.0 % | 3.0 % |\n### b\n| one | 7 | 12.5 % | 3.0 % |\n"


def load():
    loader = importlib.machinery.SourceFileLoader("make_validation", str(TOOL))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class Check(unittest.TestCase):
    def setUp(self):
        self.tool = load()

    def complaints(self, now):
        return list(self.tool.complaints(self.tool.means(PAGE), self.tool.means(now)))

    def test_reads_every_row_under_its_heading(self):
        self.assertEqual(self.tool.means(PAGE), {("a", "one"): (10, 5.0), ("b", "one"): (7, 12.5)})

    def test_equal_and_smaller_errors_pass(self):
        self.assertEqual(self.complaints(PAGE), [])
        self.assertEqual(self.complaints(PAGE.replace("12.5 %", "2.5 %")), [])

    def test_a_rise_above_a_tenth_fails(self):
        self.assertEqual(self.complaints(PAGE.replace("5.0 %", "5.5 %", 1)), [])
        self.assertEqual(self.complaints(PAGE.replace("5.0 %", "5.6 %", 1)), ["a: one rose from 5.0 % to 5.6 %"])

    def test_missing_rows_fail(self):
        self.assertEqual(self.complaints(PAGE.replace("| 7 |", "| 6 |")), ["b: one has 6 times, not 7"])
        self.assertEqual(self.complaints(PAGE.split("###")[0]), ["b: one is missing"])


if __name__ == "__main__":
    unittest.main()
