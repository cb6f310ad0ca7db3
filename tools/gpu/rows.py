"""Kernels on rows of bf16: norms and softmax here, look-ups (lookups.py) and losses (losses.py). `width`: elements
of a row, `rows`: rows of the first operand, `table_rows`: of the table that is read or added to, 0 if there is
none."""
from gpu import design, losses, lookups, timing
from gpu.framework import functional, torch

COLUMNS = ("op", "width", "rows", "time_us", "table_rows", "cache")
KEY = ("op", "width", "rows", "table_rows", "cache")
WEIGHT = 6
ALIGNMENTS = {1: 15, 2: 10, 8: 25, 32: 10, 64: 40}


def layer_norm(width, rows, _):
    x, weight, bias = timing.random(rows, width), timing.random(width), timing.random(width)
    return lambda: functional.layer_norm(x, (width,), weight, bias)


def layer_norm_backward(width, rows, _):
    x, dy = timing.random(rows, width), timing.random(rows, width)
    weight, bias = timing.random(width), timing.random(width)
    _, mean, deviation = torch.ops.aten.native_layer_norm(x, [width], weight, bias, 1e-5)
    return lambda: torch.ops.aten.native_layer_norm_backward(dy, x, [width], mean, deviation, weight, bias, [True] * 3)


def rms_norm(width, rows, _):
    x, weight = timing.random(rows, width), timing.random(width)
    return lambda: functional.rms_norm(x, (width,), weight, 1e-5)


def rms_norm_backward(width, rows, _):
    x, dy, weight = timing.random(rows, width), timing.random(rows, width), timing.random(width)
    _, deviation = torch.ops.aten._fused_rms_norm(x, [width], weight, 1e-5)
    return lambda: torch.ops.aten._fused_rms_norm_backward(dy, x, [width], deviation, weight, [True] * 2)


def softmax(width, rows, _):
    x = timing.random(rows, width)
    return lambda: functional.softmax(x, -1)


def softmax_backward(width, rows, _):
    y, dy = functional.softmax(timing.random(rows, width), -1), timing.random(rows, width)
    return lambda: torch.ops.aten._softmax_backward_data(dy, y, -1, torch.bfloat16)


def sum_rows(width, rows, _):
    x = timing.random(rows, width)
    return lambda: x.sum(-1)


def sum_columns(width, rows, _):
    """The gradient of a bias."""
    x = timing.random(rows, width)
    return lambda: x.sum(0)


NORMS = {function.__name__: function for function in (layer_norm, layer_norm_backward, rms_norm, rms_norm_backward,
                                                      softmax, softmax_backward, sum_rows, sum_columns)}
OPS = {**NORMS, **lookups.OPS, **losses.OPS}
BYTES = {**dict.fromkeys(NORMS, 6), **lookups.BYTES, **losses.BYTES}  # per element, of all tensors


def cases(name="rows"):
    for u in design.points(name, 6):
        op = design.choice(u[0], OPS.keys())
        low, high = (32 << 10, 152 << 10) if op in losses.OPS else (16, 64 << 10)
        width = design.log_uniform(u[1], low, high, design.choice(u[2], ALIGNMENTS))
        rows = design.log_uniform(u[3], 16, 8 << 20)
        table_rows = lookups.table_rows(op, u[4], rows) if op in lookups.OPS else 0
        case = {"op": op, "width": width, "rows": rows, "table_rows": table_rows}
        case["cache"] = design.cache(u[5], cost(case)[0])
        if design.is_affordable(cost(case)):
            yield case


def cost(case):
    elements = case["width"] * case["rows"]
    table = 2 * case["width"] * case["table_rows"]
    return BYTES[case["op"]] * elements + table, (BYTES[case["op"]] * elements + table) / design.BANDWIDTH


def works(case):
    op, shape = OPS[case["op"]], (case["width"], case["rows"], case["table_rows"])
    return timing.sets(lambda: op(*shape), cost(case)[0], case["cache"])


def measure(case):
    return {"time_us": timing.median_us(works(case))}
