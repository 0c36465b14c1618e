#!/usr/bin/python3
"""The published JSON Schema of gate.json and the writer agree.

The goldens are what the writer writes. A closed copy of the schema, in which no key may be added,
accepts each of them; every key of the schema is in the golden in which every field is set; and the
schema refuses what a record must not say.
Usage: record_schema_test.py SOURCE_DIR
"""

import copy
import json
import pathlib
import sys
import unittest

import jsonschema

SOURCE = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[3])
SCHEMA = json.loads((SOURCE / "configs/schema/gate.schema.json").read_text(encoding="utf-8"))
GOLDENS = sorted((SOURCE / "tests/golden/report").glob("*.json"))


def closed(schema):
    """The schema without room for keys that it does not name."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    out = {key: closed(value) for key, value in schema.items()}
    if "properties" in out:
        out["additionalProperties"] = False
    return out


def keys_of(schema):
    """(place, key) of every property that the schema names."""
    places = {"record": schema, **schema["$defs"]}
    return {(place, key) for place, part in places.items() for key in part.get("properties", {})}


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


class RecordSchema(unittest.TestCase):
    def test_it_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_the_writer_writes_nothing_else(self):
        self.assertGreaterEqual(len(GOLDENS), 3)
        validator = jsonschema.Draft202012Validator(closed(SCHEMA))
        for path in GOLDENS:
            with self.subTest(path=path.name):
                validator.validate(read(path))

    def test_the_writer_writes_every_key(self):
        for place, part in {"record": SCHEMA, **SCHEMA["$defs"]}.items():
            with self.subTest(place=place):
                self.assertEqual(part.get("required", []), list(part.get("properties", {})))
        full = read(SOURCE / "tests/golden/report/full.json")
        found = {("record", key) for key in full}
        parts = [("reason", full["reasons"]), ("leg", full["legs"]), ("phase", full["phases"]),
                 ("allocation", [full["allocation"]]),
                 ("exit", [phase["exit"] for phase in full["phases"]]),
                 ("location", [place for reason in full["reasons"] for place in reason["evidence"]]),
                 ("phase_value", [value for leg in full["legs"] for value in leg["phases"]])]
        parts += [("attempt", full["attempts"]),
                  ("logs", [phase["logs"] for phase in full["phases"] if phase["logs"]]),
                  ("node_facts", [facts for phase in full["phases"]
                                  for key in ("nodes_before", "nodes_after")
                                  for facts in phase[key]])]
        values = [value for leg in full["legs"] for value in leg["phases"]]
        parts.append(("point", [point for value in values for point in value["series"]]))
        for place, objects in parts:
            self.assertTrue(objects, place)
            found |= {(place, key) for item in objects for key in item}
        self.assertEqual(found, keys_of(SCHEMA))

    def test_it_refuses_what_a_record_must_not_say(self):
        good = read(SOURCE / "tests/golden/report/regression.json")
        validator = jsonschema.Draft202012Validator(SCHEMA)
        validator.validate(good)
        changes = [("verdict", "FAIL"), ("exit_code", -1), ("order", "bab"), ("legs", None),
                   ("started", "yesterday"), ("schema_version", 2), ("advisory", 0)]
        for key, value in changes:
            with self.subTest(key=key):
                self.assertFalse(validator.is_valid({**good, key: value}))
                self.assertFalse(validator.is_valid({k: v for k, v in good.items() if k != key}))
        nested = copy.deepcopy(good)
        nested["legs"][0]["ratio"] = 0
        self.assertFalse(validator.is_valid(nested))

    def test_a_newer_writer_may_add_keys(self):
        good = read(SOURCE / "tests/golden/report/regression.json")
        self.assertTrue(jsonschema.Draft202012Validator(SCHEMA).is_valid({**good, "new": 1}))


if __name__ == "__main__":
    unittest.main()
