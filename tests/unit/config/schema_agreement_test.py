#!/usr/bin/python3
"""The JSON Schemas are sound, accept what ships, and refuse what the parser refuses.

The parser reads the same files in parse_test.cpp. Files that break a rule between several keys say
`schema: cannot tell` in their first line: only the parser refuses those.
Usage: schema_agreement_test.py SOURCE_DIR
"""

import json
import pathlib
import re
import sys
import unittest

import jsonschema

SOURCE = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[3])
FOLDERS = {"workload": "workloads", "cluster": "clusters", "suite": "suites"}
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*')


def read(path):
    """A configuration file, without its comments."""
    text = path.read_text(encoding="utf-8")
    return json.loads(TOKEN.sub(lambda m: m[0] if m[0].startswith('"') else "", text))


def validator(kind):
    schema = read(SOURCE / "configs" / "schema" / f"{kind}.schema.json")
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


class SchemaAgreement(unittest.TestCase):
    def test_shipped_files_are_accepted(self):
        for kind, folder in FOLDERS.items():
            files = sorted((SOURCE / "configs" / folder).glob("*.json"))
            self.assertTrue(files, folder)
            for path in files:
                with self.subTest(path=path.name):
                    validator(kind).validate(read(path))

    def test_bad_files_are_refused_where_a_schema_can_tell(self):
        files = sorted((SOURCE / "tests" / "data" / "config" / "bad").glob("*.json"))
        self.assertTrue(files)
        for path in files:
            with self.subTest(path=path.name):
                promise = path.read_text(encoding="utf-8").splitlines()[0]
                self.assertIn(promise, ("// schema: refuses", "// schema: cannot tell"))
                kind = path.name.split("-")[0]
                self.assertEqual(promise == "// schema: cannot tell",
                                 validator(kind).is_valid(read(path)))


if __name__ == "__main__":
    unittest.main()
