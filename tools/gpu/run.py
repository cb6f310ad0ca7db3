"""Measures all cases of the chosen kinds, and writes each row immediately."""
import importlib
import sys
import time

import torch

from gpu.table import Table


def measure(kinds, folder, quick, seconds):
    """Measures `kinds` into `folder`; stops after `seconds`, unless 0."""
    deadline = time.monotonic() + seconds if seconds else None
    for kind in kinds:
        module = importlib.import_module("gpu." + kind)
        if not hasattr(module, "COLUMNS"):
            module.write(folder)
            continue
        table = Table(folder / f"{kind}.csv", module.COLUMNS, module.KEY)
        cases = [case for case in module.cases(quick) if not table.has(case)]
        for done, case in enumerate(cases):
            if deadline and time.monotonic() > deadline:
                print(f"{kind}: {len(cases) - done} cases left; run again to resume", file=sys.stderr)
                return
            report(f"{kind} {done + 1}/{len(cases)} {case}")
            one(module, table, case)
        report("")


def one(module, table, case):
    try:
        table.add(case, module.measure(case))
    except torch.cuda.OutOfMemoryError:  # its name since 1.13
        print(f"\n{case}: does not fit in GPU memory, skipped", file=sys.stderr)
    torch.cuda.synchronize()
    if torch.cuda.memory_reserved() > torch.cuda.get_device_properties(0).total_memory // 2:
        torch.cuda.empty_cache()


def report(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text[:150]}", end="", file=sys.stderr, flush=True)
