"""What README.md shows is what the program prints: every block that starts with `$ cairn` is run, and the
output below it, where there is any, must be the same."""

import pathlib
import re
import shlex
import unittest

from program import run

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"


class Readme(unittest.TestCase):
    def test_commands_print_what_is_shown(self):
        blocks = re.findall(r"```\n(\$ cairn .*?)```", README.read_text(), re.DOTALL)
        self.assertGreaterEqual(len(blocks), 2)
        for block in blocks:
            command, _, shown = block.partition("\n")
            with self.subTest(command):
                result = run(*shlex.split(command)[2:])
                self.assertEqual(result.returncode, 0, result.stderr)
                if shown.strip():
                    self.assertEqual(result.stdout.strip(), shown.strip())


if __name__ == "__main__":
    unittest.main()
