#!/usr/bin/python3
"""The golden reports are sound XML and HTML: JUnit by its schema, pages by their structure.

Usage: markup_test.py SOURCE_DIR
"""

import pathlib
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree

SOURCE = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[3])
GOLDEN = SOURCE / "tests/golden/report"
XHTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"


def xmllint(*arguments):
    return subprocess.run(["xmllint", "--nonet", "--noout", *map(str, arguments)],
                          capture_output=True, text=True, check=False)


class Junit(unittest.TestCase):
    def test_every_report_fits_the_schema(self):
        files = sorted(GOLDEN.glob("*.xml"))
        self.assertGreaterEqual(len(files), 6)
        checked = xmllint("--schema", SOURCE / "tests/data/junit.xsd", *files)
        self.assertEqual(checked.returncode, 0, checked.stderr)

    def test_the_counts_are_those_of_the_cases(self):
        for path in GOLDEN.glob("*.xml"):
            with self.subTest(path=path.name):
                root = ElementTree.parse(path).getroot()
                for part in (root, root.find("testsuite")):
                    self.assertEqual(int(part.get("tests")), len(list(root.iter("testcase"))))
                    self.assertEqual(int(part.get("failures")), len(list(root.iter("failure"))))
                    self.assertEqual(int(part.get("errors")), len(list(root.iter("error"))))


class Html(unittest.TestCase):
    def pages(self):
        files = sorted(GOLDEN.glob("*.html"))
        self.assertGreaterEqual(len(files), 6)
        for path in files:
            with self.subTest(path=path.name):
                yield path, ElementTree.parse(path).getroot()

    def test_pages_are_well_formed(self):
        checked = xmllint(*sorted(GOLDEN.glob("*.html")))
        self.assertEqual(checked.returncode, 0, checked.stderr)

    def test_nothing_is_fetched_and_nothing_runs(self):
        for path, root in self.pages():
            text = path.read_text(encoding="utf-8")
            self.assertIn("default-src 'none'", text)
            self.assertIsNone(re.search(r"url\(|@import|<script|<iframe|<img| on[a-z]+=", text))
            for element in root.iter():
                self.assertNotIn("src", element.attrib)
                if "href" in element.attrib:
                    self.assertEqual(element.tag, XHTML + "a")
                    self.assertTrue(element.get("href").startswith("phases/"))

    def test_headings_descend_by_one_and_ids_are_unique(self):
        for _, root in self.pages():
            levels = [int(e.tag[-1]) for e in root.iter() if re.fullmatch(XHTML + "h[1-6]", e.tag)]
            self.assertEqual(levels[0], 1)
            self.assertEqual(levels.count(1), 1)
            for before, after in zip(levels, levels[1:]):
                self.assertLessEqual(after, before + 1)
            ids = [e.get("id") for e in root.iter() if e.get("id")]
            self.assertEqual(len(ids), len(set(ids)))

    def test_drawings_speak(self):
        for _, root in self.pages():
            ids = {e.get("id"): e for e in root.iter() if e.get("id")}
            for drawing in root.iter(SVG + "svg"):
                self.assertEqual(drawing.get("role"), "img")
                for name in drawing.get("aria-labelledby").split():
                    self.assertTrue(ids[name].text.strip())

    def test_tables_have_heads(self):
        for _, root in self.pages():
            for table in root.iter(XHTML + "table"):
                columns = len(list(table.find(XHTML + "thead").iter(XHTML + "th")))
                for row in table.find(XHTML + "tbody"):
                    self.assertEqual(len(row), columns)


if __name__ == "__main__":
    unittest.main()
