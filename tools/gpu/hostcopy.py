"""Copies between pinned host memory and the device: h2d, d2h, and both at once (the size is per direction)."""
import torch

from gpu import timing

COLUMNS = ("op", "kbytes", "time_us")
KEY = ("op", "kbytes")


def cases(quick):
    sizes = (16, 1024, 65536) if quick else tuple(4 * 4**i for i in range(10))
    return [{"op": op, "kbytes": size} for op in ("h2d", "d2h", "both") for size in sizes]


def measure(case):
    size = case["kbytes"] * 1024
    there = torch.randint(255, (size,), dtype=torch.uint8).pin_memory()
    back = torch.empty_like(there).pin_memory()
    into, out = (torch.randint(255, (size,), dtype=torch.uint8, device="cuda") for _ in range(2))
    side = torch.cuda.Stream()

    def both():
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            back.copy_(out, non_blocking=True)
        into.copy_(there, non_blocking=True)
        torch.cuda.current_stream().wait_stream(side)

    work = {"h2d": lambda: into.copy_(there, non_blocking=True), "d2h": lambda: back.copy_(out, non_blocking=True),
            "both": both}[case["op"]]
    return {"time_us": timing.median_us([work])}
