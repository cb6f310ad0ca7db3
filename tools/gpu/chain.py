"""Chains of element-wise operators on rows of bf16, as eager PyTorch launches them one by one, or compiled into one
kernel (`code`); both are replayed as graphs. `width`: elements of a row of the result."""
from gpu import design, timing
from gpu.framework import functional, torch

COLUMNS = ("op", "code", "width", "rows", "time_us", "cache")
KEY = ("op", "code", "width", "rows", "cache")
SHAPE = ("op", "width", "rows")
WEIGHT = 3
HEAD = 128
DROPPED = 0.1


def swiglu(x):
    gate, up = x.chunk(2, -1)
    return functional.silu(gate) * up


def swiglu_backward(x, dy):
    gate, up = x.chunk(2, -1)
    sigmoid = torch.sigmoid(gate)
    return torch.cat((dy * up * sigmoid * (1 + gate * (1 - sigmoid)), dy * gate * sigmoid), -1)


def rotary(x, cosine, sine):
    half = x.shape[-1] // 2
    return x * cosine + torch.cat((-x[..., half:], x[..., :half]), -1) * sine


def bias_gelu(x, bias):
    return functional.gelu(x + bias)


def gelu_backward(x, dy):
    return torch.ops.aten.gelu_backward(dy, x)


def residual_dropout(x, y):
    return x + functional.dropout(y, DROPPED)


def residual_norm(x, y, weight):
    """The sum, and its RMS norm in fp32 by single operators."""
    total = x + y
    wide = total.float()
    return total, (wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + 1e-5)).to(x.dtype) * weight


def cast_cross_entropy(x, labels):
    return functional.cross_entropy(x.float(), labels)


def plain(count):
    return lambda width, rows: [timing.random(rows, width) for _ in range(count)]


def doubled(width, rows):
    return [timing.random(rows, 2 * width)]


# The function, its operands, and its tensors' bytes per element, of the intermediate results too.
OPS = {"swiglu": (swiglu, doubled, 10),
       "swiglu_backward": (swiglu_backward, lambda *shape: doubled(*shape) + plain(1)(*shape), 30),
       "rotary": (rotary, lambda width, rows: [timing.random(rows, width // HEAD, HEAD), *(timing.random(rows, 1, HEAD)
                                                                                       for _ in range(2))], 14),
       "bias_gelu": (bias_gelu, lambda width, rows: [timing.random(rows, width), timing.random(width)], 6),
       "gelu_backward": (gelu_backward, plain(2), 6),
       "residual_dropout": (residual_dropout, plain(2), 9),
       "residual_norm": (residual_norm, lambda *shape: plain(2)(*shape) + [timing.random(shape[0])], 28),
       "cast_cross_entropy": (cast_cross_entropy, lambda width, rows: [
           timing.random(rows, width), torch.randint(width, (rows,), device="cuda")], 10)}


def cases(name="chain"):
    for u in design.points(name, 4):
        op = design.choice(u[0], OPS.keys())
        is_loss = op == "cast_cross_entropy"
        width = design.log_uniform(u[1], 32 << 10 if is_loss else 256, 152 << 10 if is_loss else 32 << 10, HEAD)
        rows = design.log_uniform(u[2], 16, 256 << 10)
        for code in ("eager", "compiled"):
            case = {"op": op, "code": code, "width": width, "rows": rows}
            case["cache"] = design.cache(u[3], cost(case)[0])
            if design.is_affordable(cost(case)):
                yield case


def cost(case):
    size = OPS[case["op"]][2] * case["width"] * case["rows"]
    return size, size / design.BANDWIDTH


def works(case):
    function, operands, _ = OPS[case["op"]]
    if case["code"] == "compiled":
        function = torch.compile(function, dynamic=False)

    def make():
        inputs = operands(case["width"], case["rows"])
        return lambda: function(*inputs)

    return timing.sets(make, cost(case)[0], case["cache"])


def measure(case):
    return {"time_us": timing.median_us(works(case))}
