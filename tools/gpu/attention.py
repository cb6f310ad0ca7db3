"""Scaled dot-product attention, the fused kernel that PyTorch chooses (flash), bf16."""
import itertools

import torch
from torch.nn import functional

from gpu import timing

COLUMNS = ("batch", "heads", "seq", "dim", "causal", "fwd_us", "bwd_us")
KEY = ("batch", "heads", "seq", "dim", "causal")


def cases(quick):
    shapes = [(batch, heads, seq, dim, causal)
              for (batch, heads), seq, dim, causal in itertools.product(((1, 16), (4, 32), (16, 12)),
                                                                        (256, 512, 1024, 2048, 4096, 8192), (64, 128),
                                                                        (0, 1))
              if batch * heads * seq * seq <= 4 * 32 * 8192 * 8192]
    return [dict(zip(KEY, shape)) for shape in (shapes[::5] if quick else shapes)]


def measure(case):
    shape = (case["batch"], case["heads"], case["seq"], case["dim"])
    q, k, v = (timing.random(*shape, grad=True) for _ in range(3))

    def attend():
        return functional.scaled_dot_product_attention(q, k, v, is_causal=bool(case["causal"]))

    with torch.no_grad():
        forward = timing.median_us([attend])
    dy = torch.randn_like(q)
    both = timing.median_us([lambda: torch.autograd.grad(attend(), (q, k, v), dy)])
    return {"fwd_us": forward, "bwd_us": both - forward}
