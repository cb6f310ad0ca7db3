"""One recurrent layer over all steps by cuDNN; the input has the hidden size. In fp16, where PyTorch keeps the weights
contiguous, as cuDNN requires; in bf16 it does not. Launched from Python, or replayed as a graph."""
from gpu import design, timing
from gpu.framework import torch

COLUMNS = ("kind", "dtype", "hidden", "batch", "steps", "launch", "fwd_us", "fwdbwd_us")
KEY = ("kind", "dtype", "hidden", "batch", "steps", "launch")
SHAPE = ("kind", "hidden", "batch", "steps")
WEIGHT = 8
LAYERS = {"vanilla": "RNN", "lstm": "LSTM", "gru": "GRU"}
GATES = {"vanilla": 1, "lstm": 4, "gru": 3}


def cases(name="recurrent"):
    for u in design.points(name, 5):
        kind = design.choice(u[0], LAYERS.keys())
        hidden = design.log_uniform(u[1], 64, 4096, design.choice(u[2], {1: 1, 8: 2, 32: 3, 64: 4}))
        batch, steps = design.log_uniform(u[3], 1, 512), design.log_uniform(u[4], 4, 256)
        for launch in ("replay", "python"):
            case = {"kind": kind, "dtype": "fp16", "hidden": hidden, "batch": batch, "steps": steps, "launch": launch}
            if design.is_affordable(cost(case)):
                yield case


def cost(case):
    kind, hidden, batch, steps = (case[name] for name in ("kind", "hidden", "batch", "steps"))
    flops = 3 * 4.0 * GATES[kind] * hidden**2 * batch * steps
    weights, cells = 4 * GATES[kind] * hidden**2, 2 * (GATES[kind] + 2) * hidden * batch * steps
    seconds = flops / (0.4 * design.FLOPS["fp16"]) + steps * (3e-5 + 3 * weights / design.BANDWIDTH)
    return 4 * weights + 4 * cells, seconds


def measure(case):
    torch.backends.cudnn.benchmark = True  # as in training.py: selects another algorithm, up to twice as fast
    layer = getattr(torch.nn, LAYERS[case["kind"]])(case["hidden"], case["hidden"], device="cuda", dtype=torch.float16)
    x = timing.random(case["steps"], case["batch"], case["hidden"], dtype=torch.float16, grad=True)
    time_us = timing.graph_us if case["launch"] == "replay" else timing.loop_us
    with torch.no_grad():
        forward = time_us(lambda: layer(x))
    dy = torch.randn_like(layer(x)[0])

    def both():
        layer(x)[0].backward(dy)

    return {"fwd_us": forward, "fwdbwd_us": time_us(both)}
