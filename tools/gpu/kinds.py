"""The kinds of measurements, and what will be measured of each."""
import importlib
import itertools

from gpu import design

NAMES = ("gemm", "grouped", "rows", "memory_bound", "chain", "optimizer", "attention", "conv", "recurrent", "hostcopy",
         "contention", "interference", "issue", "power", "training", "collective")


def module_of(kind):
    return importlib.import_module("gpu." + kind)


def cases_of(kind, count):
    """The first `count` different cases."""
    module, seen = module_of(kind), set()
    for case in itertools.islice(module.cases(), count):
        key = tuple(case[name] for name in module.KEY)
        if key not in seen:
            seen.add(key)
            yield case


def is_held_out(kind, case):
    module = module_of(kind)
    return design.is_held_out(kind, [case[name] for name in getattr(module, "SHAPE", module.KEY)])


def show(kinds, count):
    """Cases by kind and phase: how many, how many held out, and estimates of one repetition."""
    print(f"{'kind':14}{'phase':>10}{'cases':>8}{'held out':>10}{'GiB, most':>11}{'ms, median':>12}{'ms, most':>10}")
    for kind in kinds:
        phases = {}
        for case in cases_of(kind, count):
            phases.setdefault(design.phase(case), []).append((is_held_out(kind, case), *module_of(kind).cost(case)))
        for phase, planned in phases.items():
            held, sizes, seconds = zip(*planned)
            print(f"{kind:14}{phase:>10}{len(planned):8}{sum(held):10}{max(sizes) / design.GIB:11.2f}"
                  f"{1e3 * sorted(seconds)[len(seconds) // 2]:12.3f}{1e3 * max(seconds):10.1f}")
