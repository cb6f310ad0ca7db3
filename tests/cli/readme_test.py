#!/usr/bin/python3
"""What README.md, the pages in docs/ and the examples show is what the program prints: every command after `$ cairn` is
run as written, one after the other, and the output below it, where there is any, must be the same."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from program import PROGRAM, TIMEOUT_S

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A command may go on in the next line after a backslash.
COMMAND = re.compile(r"^\$ (cairn (?:.*\\\n)*.*)\n((?:(?!```|\$ ).*\n)*)", re.MULTILINE)
STEP = re.compile(r"^## \d+\. .*$", re.MULTILINE)


def run_as_written(command, folder):
    path = f"{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}"
    return subprocess.run(["/bin/bash", "-o", "pipefail", "-c", command], cwd=folder, env={**os.environ, "PATH": path},
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)


class Readme(unittest.TestCase):
    def folder_like(self, folder):
        """A writable folder with links to all files of another."""
        holder = tempfile.TemporaryDirectory(prefix="cairn-readme-")
        self.addCleanup(holder.cleanup)
        for entry in folder.iterdir():
            (pathlib.Path(holder.name) / entry.name).symlink_to(entry)
        return pathlib.Path(holder.name)

    def check_page(self, page, least, typed_in=None, with_output=False):
        """Returns the folder in which all of it was run; with_output: only commands whose output is shown."""
        commands = COMMAND.findall(page.read_text(encoding="utf-8"))
        if with_output:
            commands = [(command, shown) for command, shown in commands if shown.strip()]
        self.assertGreaterEqual(len(commands), least, page)
        folder = self.folder_like(typed_in or page.parent)
        for command, shown in commands:
            with self.subTest(page=page.relative_to(ROOT), command=command):
                done = run_as_written(command, folder)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                if shown.strip():
                    self.assertEqual(done.stdout.strip(), shown.strip())
        return folder

    def test_the_readme(self):
        self.check_page(ROOT / "README.md", least=2)

    def test_the_tutorial(self):
        page = ROOT / "docs" / "tutorial.md"
        folder = self.check_page(page, least=9, typed_in=ROOT)

        steps = STEP.split(page.read_text(encoding="utf-8"))[1:]
        self.assertEqual(len(steps), 7)
        for number, step in enumerate(steps, 1):
            with self.subTest(step=number):
                # Step 3 uses the report of step 2.
                reports = re.findall(r"--report ([\w-]+\.html)", step) or re.findall(r"same `(\S+\.html)`", step)
                self.assertTrue(reports)
                for report in reports:
                    self.assertIn('<script type="application/json" id="cairn-result">{', (folder / report).read_text(encoding="utf-8"))

    def test_documentation_pages(self):
        # Commands without output there may name files that the reader has yet to write.
        pages = sorted(set(ROOT.glob("docs/*.md")) - {ROOT / "docs" / "tutorial.md"})
        self.assertTrue(pages)
        for page in pages:
            self.check_page(page, least=0, typed_in=ROOT, with_output=True)

    def test_examples(self):
        pages = sorted(ROOT.glob("examples/*/README.md"))
        self.assertTrue(pages)
        for page in pages:
            self.check_page(page, least=0 if (page.parent / "main.cpp").exists() else 1)


if __name__ == "__main__":
    unittest.main()
