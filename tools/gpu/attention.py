"""Scaled dot-product attention in bf16: PyTorch's flash kernel (`code` eager), or a causal sliding window of
`window` tokens (0: none) by flex_attention (`code` compiled). Forward, and backward by itself."""
from gpu import design, timing
from gpu.framework import functional, torch

COLUMNS = ("batch", "heads", "kv_heads", "seq", "dim", "causal", "window", "code", "fwd_us", "bwd_us")
KEY = ("batch", "heads", "kv_heads", "seq", "dim", "causal", "window", "code")
WEIGHT = 14
MAX_SECONDS = 0.012
MAX_WINDOWED = 32 << 10  # tokens
TILE = 128


def cases(name="attention"):
    for u in design.points(name, 9):
        dim = design.choice(u[0], {64: 30, 80: 5, 96: 10, 128: 40, 192: 7, 256: 8})
        seq = design.log_uniform(u[1], 1 << 10, 128 << 10, design.choice(u[2], {1: 1, 8: 1, 64: 2, 128: 4}))
        kv_heads = design.log_uniform(u[3], 1, 32)
        heads = kv_heads * design.choice(u[5], {1: 4, 2: 1, 4: 2, 8: 2, 16: 1})
        case = {"batch": design.log_uniform(u[4], 1, 64), "heads": heads, "kv_heads": kv_heads,
                "seq": seq, "dim": dim, "causal": int(u[6] < 0.7), "window": 0, "code": "eager"}
        if u[7] < 0.15 and dim in (64, 128):
            seq = design.log_uniform(u[1], 1 << 10, MAX_WINDOWED, TILE)
            case.update(seq=seq, causal=1, window=design.log_uniform(u[8], TILE, seq), code="compiled")
        if design.is_affordable(cost(case), MAX_SECONDS):
            yield case


def cost(case):
    """Of the forward pass."""
    batch, heads, seq, dim = (case[name] for name in ("batch", "heads", "seq", "dim"))
    seen = min(seq, case["window"] or seq) * (0.5 if case["causal"] and not case["window"] else 1.0)
    size = 2 * batch * seq * dim * (2 * heads + 2 * case["kv_heads"])
    return 3 * size, 4.0 * batch * heads * seq * seen * dim / (0.6 * design.FLOPS["bf16"]) + size / design.BANDWIDTH


def operands(case):
    q, k, v = (timing.random(case["batch"], heads, case["seq"], case["dim"], grad=True)
               for heads in (case["heads"], case["kv_heads"], case["kv_heads"]))
    is_grouped = case["heads"] != case["kv_heads"]
    if case["window"]:
        return (q, k, v), windowed(q, k, v, case["window"], is_grouped)

    def attend():
        with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.FLASH_ATTENTION):
            return functional.scaled_dot_product_attention(q, k, v, is_causal=bool(case["causal"]),
                                                           enable_gqa=is_grouped)

    return (q, k, v), attend


def windowed(q, k, v, window, is_grouped):
    from torch.nn.attention.flex_attention import BlockMask, flex_attention

    def mask(_batch, _head, row, column):
        return (row >= column) & (row - column < window)

    tiles = torch.arange(q.shape[2] // TILE, device="cuda")
    first_row, first_column = TILE * tiles[:, None], TILE * tiles[None, :]
    distance = first_row - first_column  # of the first row from the first column
    partly = (distance + TILE - 1 >= 0) & (distance - TILE + 1 < window)
    fully = (distance - TILE + 1 >= 0) & (distance + TILE - 1 < window)

    def blocks(chosen):
        chosen = chosen.to(torch.int8)[None, None]
        return chosen.sum(-1).int(), torch.argsort(chosen, dim=-1, descending=True, stable=True).int()

    tiled = BlockMask.from_kv_blocks(*blocks(partly & ~fully), *blocks(fully), BLOCK_SIZE=TILE, mask_mod=mask)
    attend = torch.compile(flex_attention, dynamic=False)
    return lambda: attend(q, k, v, block_mask=tiled, enable_gqa=is_grouped)


def works(case):
    """The forward pass."""
    _, attend = operands(case)
    return [torch.no_grad()(attend)]


def measure(case):
    inputs, attend = operands(case)
    y = attend()
    dy = torch.randn_like(y)
    backward = timing.queued_us(lambda: torch.autograd.grad(y, inputs, dy, retain_graph=True))
    with torch.no_grad():
        return {"fwd_us": timing.median_us([attend]), "bwd_us": backward}
