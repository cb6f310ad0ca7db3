"""One recurrent layer over all steps by cuDNN; the input has the hidden size. In fp16, where PyTorch keeps the weights
contiguous, as cuDNN requires; in bf16 it does not."""
import itertools

import torch

from gpu import timing

COLUMNS = ("kind", "dtype", "hidden", "batch", "steps", "fwd_us", "fwdbwd_us")
KEY = ("kind", "dtype", "hidden", "batch", "steps")
LAYERS = {"vanilla": torch.nn.RNN, "lstm": torch.nn.LSTM, "gru": torch.nn.GRU}
# Sizes of DeepBench.
SIZES = {"vanilla": (1760, 2560), "lstm": (512, 1024, 2048, 4096), "gru": (1536, 2816)}
STEPS = {"vanilla": 50, "lstm": 25, "gru": 187}


def cases(quick):
    rows = []
    for kind, sizes in SIZES.items():
        for hidden, batch in itertools.product(sizes, (64,) if quick else (16, 64, 128, 512)):
            rows.append({"kind": kind, "dtype": "fp16", "hidden": hidden, "batch": batch, "steps": STEPS[kind]})
    return rows


def measure(case):
    torch.backends.cudnn.benchmark = True  # as in training.py: selects another algorithm, up to twice as fast
    layer = LAYERS[case["kind"]](case["hidden"], case["hidden"], device="cuda", dtype=torch.float16)
    x = timing.random(case["steps"], case["batch"], case["hidden"], dtype=torch.float16, grad=True)
    with torch.no_grad():
        forward = timing.graph_us(lambda: layer(x))
    dy = torch.randn_like(layer(x)[0])

    def both():
        layer(x)[0].backward(dy)

    return {"fwd_us": forward, "fwdbwd_us": timing.graph_us(both)}
