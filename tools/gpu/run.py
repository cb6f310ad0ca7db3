"""Measures cases of the chosen kinds in turn, each for its share of the time, and writes each row immediately.

Cases launched by Python come first, alone. Then a second process compiles: it has the GPU only while it measures."""
import multiprocessing
import sys
import time

from gpu import design, kinds, machine, timing
from gpu.framework import torch
from gpu.table import Table
from gpu.turn import Turn

QUIET_SHARE = 0.3  # of the time
SLICES = 150  # turns of the kinds
TURN = ".turn"  # file that the process with the GPU has locked
OVERTIME_S = 20.0  # for the case that is being compiled when time is up


class Queue:
    """The cases of one kind and phase that are still to be measured."""

    def __init__(self, kind, phase, folder, count):
        self.kind, self.module, self.spent, self.done = kind, kinds.module_of(kind), 0.0, 0
        self.table = Table(folder / f"{kind}.csv", self.module.COLUMNS + ("clock_MHz", "held_out"), self.module.KEY)
        self.skipped = Table(folder / "skipped.csv", ("kind", "case", "reason"), ("kind", "case"))
        self.cases = (case for case in kinds.cases_of(kind, count)
                      if design.phase(case) == phase and not self.table.has(case)
                      and not self.skipped.has(self.named(case)))

    def named(self, case):
        return {"kind": self.kind, "case": " ".join(f"{name}={case[name]}" for name in self.module.KEY)}

    def measure_next(self):
        """False if there is none."""
        case = next(self.cases, None)
        if case is None:
            return False
        report(f"{self.kind} {case}")
        begin = time.monotonic()
        try:
            measured = self.module.measure(case)
            torch.cuda.synchronize()
            self.table.add(case, {**timing.observed, **measured, "held_out": int(kinds.is_held_out(self.kind, case))})
        except Exception as error:  # of a library that does not have this case
            lines = str(error).strip().splitlines() or [type(error).__name__]
            self.skipped.add(self.named(case), {"reason": lines[0][:160]})
            print(f"\n{self.kind} {case}: {lines[0]}", file=sys.stderr)
            torch.cuda.synchronize()  # fails if the GPU is in no state to go on
        if torch.cuda.memory_reserved() > torch.cuda.get_device_properties(0).total_memory // 4:
            torch.cuda.empty_cache()
        self.spent += time.monotonic() - begin
        self.done += 1
        return True


def measure(chosen, folder, seconds, count):
    """At most `count` cases of each kind, in at most `seconds`, unless 0."""
    begin = time.monotonic()
    end = begin + (seconds or 1e9)
    machine.write(folder)
    quiet = queues(chosen, design.QUIET, folder, count)
    drain(quiet, begin + QUIET_SHARE * (seconds or 1e9), seconds / SLICES, folder)
    worker = multiprocessing.get_context("spawn").Process(target=measure_compiled, args=(chosen, folder, end, count))
    worker.start()
    drain(queues(chosen, design.MAIN, folder, count), end, seconds / SLICES, folder)
    worker.join(max(0.0, end + OVERTIME_S - time.monotonic()) if seconds else None)
    if worker.is_alive():
        worker.terminate()
    (folder / TURN).unlink()


def measure_compiled(chosen, folder, end, count):
    drain(queues(chosen, design.COMPILED, folder, count), end, 0.0, folder, compiles=True)


def queues(chosen, phase, folder, count):
    return [Queue(kind, phase, folder, count) for kind in chosen]


def drain(chosen, end, slice_s, folder, compiles=False):
    """Measures for `slice_s` seconds that kind which had least of its share."""
    waiting, turn = list(chosen), Turn(folder / TURN)
    while waiting and time.monotonic() < end:
        queue = min(waiting, key=lambda queue: queue.spent / queue.module.WEIGHT)
        stop = min(end, time.monotonic() + slice_s)
        while True:
            if compiles:
                torch.compiler.reset()  # also clears the callbacks
                turn.give_while_compiling()
            with turn:
                is_measured = queue.measure_next()
            if not is_measured:
                waiting.remove(queue)
            if not is_measured or time.monotonic() >= stop:
                break
    report("")
    for queue in chosen:
        if queue.done:
            print(f"{queue.kind}: {queue.done} cases in {queue.spent:.0f} s", file=sys.stderr)


def report(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text[:150]}", end="", file=sys.stderr, flush=True)
