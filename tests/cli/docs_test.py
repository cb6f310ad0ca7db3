#!/usr/bin/python3
"""Pages of the project lead somewhere: links, headings and pictures are there, pictures are few and shown, and the gallery
has every study. What is in it is compared by tools/make_docs --check (docs.gallery)."""
import pathlib
import re
import unittest

from program import CliTest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
MOST_BYTES = 2_000_000
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("examples/*/README.md"), ROOT / "cairn" / "README.md",
                ROOT / "web" / "README.md"])
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r'\]\(([^)\s]+)\)|<img src="([^"]+)"')


def links(page):
    for found in LINK.finditer(CODE.sub("", page.read_text(encoding="utf-8"))):
        target = found.group(1) or found.group(2)
        if "://" not in target:
            path, _, heading = target.partition("#")
            yield (page.parent / path).resolve() if path else page, heading


def headings(page):
    """As they are named in links."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for title in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


class Docs(CliTest):
    def test_links_lead_somewhere(self):
        for page in PAGES:
            for target, heading in links(page):
                with self.subTest(page=page.relative_to(ROOT), target=target, heading=heading):
                    self.assertTrue(target.exists())
                    if heading:
                        self.assertIn(heading, list(headings(target)))

    def test_pictures_are_shown_and_small(self):
        shown = {target for page in PAGES for target, _ in links(page)}
        pictures = set(PICTURES.iterdir())
        self.assertEqual(pictures - shown, set())
        self.assertLess(sum(picture.stat().st_size for picture in pictures), MOST_BYTES)

    def test_every_study_is_in_the_gallery(self):
        gallery = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
        for study in self.succeed_json("list", "studies")["items"]:
            self.assertIn(f"\n$ cairn study {study['name']} --report ", gallery)


if __name__ == "__main__":
    unittest.main()
