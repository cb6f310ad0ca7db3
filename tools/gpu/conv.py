"""Convolutions in both memory formats, bf16 and tf32, with the algorithm that cuDNN finds fastest: forward, data
gradient and weight gradient."""
from gpu import design, timing
from gpu.framework import functional, torch

COLUMNS = ("dtype", "format", "N", "C", "H", "W", "K", "R", "stride", "pad", "fwd_us", "dgrad_us", "wgrad_us")
KEY = ("dtype", "format", "N", "C", "H", "W", "K", "R", "stride", "pad")
WEIGHT = 26
MAX_SECONDS = 0.01
BYTES = {"bf16": 2, "tf32": 4}
FILTERS = {1: 35, 3: 45, 5: 10, 7: 6, 11: 4}
ALIGNMENTS = {1: 8, 8: 22, 16: 20, 32: 20, 64: 30}


def cases(name="conv"):
    for u in design.points(name, 10):
        size = design.choice(u[0], FILTERS)
        alignment = design.choice(u[1], ALIGNMENTS)
        # A tenth reads images.
        channels = 3 if u[2] < 0.1 else design.log_uniform((u[2] - 0.1) / 0.9, 16, 2048, alignment)
        out = design.log_uniform(u[3], 16, 2048, alignment)
        side = design.log_uniform(u[4], max(6, size), 256)
        stride = design.choice(u[5], {1: 70, 2: 25, 4: 5})
        case = {"dtype": design.choice(u[6], {"bf16": 6, "tf32": 4}),
                "format": design.choice(u[7], {"nhwc": 6, "nchw": 4}), "N": design.log_uniform(u[8], 4, 512),
                "C": channels, "H": side, "W": side, "K": out, "R": size, "stride": stride,
                "pad": size // 2 if u[9] < 0.75 else 0}
        if design.is_affordable(cost(case), MAX_SECONDS):
            yield case


def cost(case):
    side = (case["H"] + 2 * case["pad"] - case["R"]) // case["stride"] + 1
    taps, outputs = case["C"] * case["R"]**2, case["N"] * case["K"] * side**2
    size = BYTES[case["dtype"]] * (case["N"] * case["C"] * case["H"] * case["W"] + case["K"] * taps + outputs)
    return 2 * size, 2.0 * outputs * taps / (0.5 * design.FLOPS[case["dtype"]]) + size / design.BANDWIDTH


def operands(case):
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.allow_tf32 = True
    dtype = torch.bfloat16 if case["dtype"] == "bf16" else torch.float32
    memory = torch.channels_last if case["format"] == "nhwc" else torch.contiguous_format
    x = timing.random(case["N"], case["C"], case["H"], case["W"], dtype=dtype).contiguous(memory_format=memory)
    weight = timing.random(case["K"], case["C"], case["R"], case["R"], dtype=dtype).contiguous(memory_format=memory)
    return x, weight


def works(case):
    """The forward pass."""
    x, weight = operands(case)
    return [lambda: functional.conv2d(x, weight, stride=case["stride"], padding=case["pad"])]


def measure(case):
    x, weight = operands(case)
    settings = [case["stride"]] * 2, [case["pad"]] * 2, [1, 1]
    forward = timing.median_us([lambda: functional.conv2d(x, weight, None, *settings)])
    dy = torch.randn_like(functional.conv2d(x, weight, None, *settings))

    def gradient(of_data):
        mask = [of_data, not of_data, False]
        return lambda: torch.ops.aten.convolution_backward(dy, x, weight, None, *settings, False, [0, 0], 1, mask)

    return {"fwd_us": forward, "dgrad_us": timing.median_us([gradient(True)]),
            "wgrad_us": timing.median_us([gradient(False)])}
