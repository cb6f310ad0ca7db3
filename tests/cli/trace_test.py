#!/usr/bin/python3
"""Do traces keep to the rules of Chrome's format, as Perfetto reads it, on every kind of system?"""
import bisect
import collections
import json
import unittest

from program import RING, CliTest

SLACK_US = 1e-6  # a trace is written to the picosecond

RUNS = (("vgg-e-on-mc-dla",), ("vgg-e-on-dc-dla", "--set", "strategy.batch=64"),
        ("resnet-50-on-ace", "--set", "endpoint=ace"), ("resnet-50-on-ace", "--set", "endpoint=cores"), ("dlrm-on-ace",),
        ("language-model-on-512-v100",), ("vgg-e-on-dc-dla", "--fold", "off", "--set", "strategy.devices=2", "--set", "collectives=auto"),
        ("gpt-on-dgx-a100",), ("gpt-on-dgx-a100", "--fold", "off"))


class Trace(CliTest):
    def check(self, file):
        """What holds of every trace; returns its events."""
        trace = json.loads((self.folder / file).read_text())
        events = trace["traceEvents"]
        self.assertIn(trace["displayTimeUnit"], ("ns", "ms"))
        processes, threads, slices = {}, {}, collections.defaultdict(list)
        begins, ends, counted = {}, {}, {}
        last = -1.0
        for event in events:
            self.assertLessEqual({"ph", "name", "pid", "tid", "args"}, event.keys())
            self.assertIn(event["ph"], "MXCsf")
            row = (event["pid"], event["tid"])
            if event["ph"] == "M":
                self.assertEqual(last, -1.0, "names come before all else")
                kind = processes if event["name"] == "process_name" else threads
                key = event["pid"] if kind is processes else row
                self.assertNotIn(key, kind, "a name is given once")
                name = event["args"]["name"]
                self.assertTrue(name)
                others = processes.values() if kind is processes else \
                    [other for (pid, _), other in threads.items() if pid == event["pid"]]
                self.assertNotIn(name, others, f"process {event['pid']}: two of one name")
                kind[key] = name
                continue
            self.assertGreaterEqual(event["ts"], last, "by time")
            last = event["ts"]
            self.assertIn(event["pid"], processes)
            if event["ph"] == "X":
                self.assertIn(row, threads)
                self.assertGreaterEqual(event["dur"], 0.0)
                slices[row].append((event["ts"], event["ts"] + event["dur"]))
            elif event["ph"] == "C":
                self.assertTrue(event["args"])
                counter = (event["pid"], event["name"])
                self.assertGreater(event["ts"], counted.get(counter, -1.0), f"{counter}: one value at a time")
                counted[counter] = event["ts"]
                for value in event["args"].values():
                    self.assertIsInstance(value, (int, float))
                    self.assertGreaterEqual(value, 0.0)
            else:
                which = begins if event["ph"] == "s" else ends
                self.assertNotIn(event["id"], which)
                which[event["id"]] = event
        for row, spans in slices.items():
            for before, after in zip(spans, spans[1:]):
                self.assertGreaterEqual(after[0], before[1] - SLACK_US, f"{row}: slices of a row overlap")
        self.assertEqual(begins.keys(), ends.keys())
        for number, begin in begins.items():
            end = ends[number]
            self.assertEqual((begin["cat"], begin["name"]), (end["cat"], end["name"]))
            self.assertEqual(end["bp"], "e")
            self.assertLessEqual(begin["ts"], end["ts"])
            for bound in (begin, end):
                spans = slices[bound["pid"], bound["tid"]]
                around = spans[bisect.bisect_right(spans, (bound["ts"] + SLACK_US / 2, float("inf"))) - 1]
                self.assertTrue(around[0] - SLACK_US <= bound["ts"] < around[1] + SLACK_US / 2, f"{bound}: outside of {around}")
        return events, processes, threads, begins

    def test_steps(self):
        for arguments in RUNS:
            with self.subTest(arguments):
                text = self.succeed_json("run", *arguments, "--trace", "t.json")
                events, processes, threads, flows = self.check("t.json")
                end = max(event["ts"] + event["dur"] for event in events if event["ph"] == "X")
                self.assertAlmostEqual(end * 1e-6 / (text["step_time_s"] * text["steps"]), 1.0, delta=1e-6)
                self.assertTrue(any(name.startswith("device") for name in processes.values()))
                self.assertLessEqual({"compute", "copy out", "copy in"}, set(threads.values()))
                self.assertTrue(flows)
                counters = {event["name"] for event in events if event["ph"] == "C"}
                self.assertIn("memory in use", counters)
                self.assertIn(text["links"][0]["name"], counters)
                self.check_rates(events, text["links"], text["steps"])

    def check_rates(self, events, links, steps):
        """The rate of each link integrates to its traffic and stays within its bandwidth; links of one name are one counter."""
        carried, most, last = collections.defaultdict(float), collections.defaultdict(float), {}
        for event in events:
            if event["ph"] == "C" and "B/s" in event["args"]:
                name = event["name"]
                if name in last:
                    at, rate = last[name]
                    carried[name] += rate * (event["ts"] - at) * 1e-6
                last[name] = (event["ts"], event["args"]["B/s"])
                most[name] = max(most[name], event["args"]["B/s"])
        self.assertTrue(carried)
        for link in links:
            if link["name"] in carried:
                self.assertAlmostEqual(carried[link["name"]] / (link["carried_B"] * steps), 1.0, delta=1e-6, msg=link["name"])
                self.assertLessEqual(most[link["name"]], link["bandwidth_Bps"] * (1 + 1e-9), link["name"])

    def test_collectives_engines_have_rows(self):
        self.succeed("run", "resnet-50-on-ace", "--set", "endpoint=ace", "--trace", "t.json")
        _, _, threads, _ = self.check("t.json")
        self.assertTrue(any(name.startswith("engine: ") for name in threads.values()), threads)

    def test_collectives(self):
        for arguments in (("--platform", RING), ("--platform", "dgx1v", "--fold", "off"),
                          ("--platform", "ace-4x4x4", "--algorithm", "hierarchical", "--endpoint", "ace")):
            with self.subTest(arguments):
                text = self.succeed_json("collective", *arguments, "--size", "4 MB", "--trace", "t.json")
                events, processes, _, flows = self.check("t.json")
                self.assertIn("links, busiest first", processes.values())
                self.assertTrue(flows)
                links = collections.defaultdict(lambda: {"carried_B": 0.0, "bandwidth_Bps": 0.0})
                for link in text["links"]:
                    links[link["name"]]["name"] = link["name"]
                    for key in ("carried_B", "bandwidth_Bps"):
                        links[link["name"]][key] += link[key]
                self.check_rates(events, links.values(), 1)


if __name__ == "__main__":
    unittest.main()
