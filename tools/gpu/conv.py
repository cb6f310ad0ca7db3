"""Convolutions of AlexNet, VGG, ResNet and GoogLeNet, channels last; backward is dX and dW."""
import torch
from torch.nn import functional

from gpu import timing

COLUMNS = ("dtype", "N", "C", "H", "W", "K", "R", "stride", "pad", "fwd_us", "bwd_us")
KEY = ("dtype", "N", "C", "H", "W", "K", "R", "stride", "pad")

# C, H, K, R, stride, pad
LAYERS = ((3, 227, 96, 11, 4, 0), (96, 27, 256, 5, 1, 2), (256, 13, 384, 3, 1, 1), (384, 13, 384, 3, 1, 1),
          (3, 224, 64, 3, 1, 1), (64, 224, 64, 3, 1, 1), (64, 112, 128, 3, 1, 1), (128, 112, 128, 3, 1, 1),
          (128, 56, 256, 3, 1, 1), (256, 56, 256, 3, 1, 1), (256, 28, 512, 3, 1, 1), (512, 28, 512, 3, 1, 1),
          (512, 14, 512, 3, 1, 1), (3, 224, 64, 7, 2, 3), (64, 56, 64, 1, 1, 0), (64, 56, 64, 3, 1, 1),
          (64, 56, 256, 1, 1, 0), (256, 56, 64, 1, 1, 0), (256, 56, 128, 1, 1, 0), (128, 56, 128, 3, 2, 1),
          (128, 28, 512, 1, 1, 0), (256, 56, 512, 1, 2, 0), (512, 28, 128, 1, 1, 0), (128, 28, 128, 3, 1, 1),
          (512, 28, 256, 1, 1, 0), (256, 14, 256, 3, 1, 1), (256, 14, 1024, 1, 1, 0), (1024, 14, 256, 1, 1, 0),
          (1024, 14, 512, 1, 1, 0), (512, 7, 512, 3, 1, 1), (512, 7, 2048, 1, 1, 0), (2048, 7, 512, 1, 1, 0),
          (192, 28, 64, 1, 1, 0), (96, 28, 128, 3, 1, 1), (16, 28, 32, 5, 1, 2), (480, 14, 192, 1, 1, 0),
          (112, 14, 224, 3, 1, 1), (24, 14, 64, 5, 1, 2), (832, 7, 256, 1, 1, 0), (160, 7, 320, 3, 1, 1))


def cases(quick):
    rows = []
    for batch in ((64,) if quick else (16, 64, 256)):
        for c, h, k, r, stride, pad in LAYERS:
            rows.append(dict(zip(KEY, ("bf16", batch, c, h, h, k, r, stride, pad))))
    return rows[::3] if quick else rows


def measure(case):
    torch.backends.cudnn.benchmark = True
    x = timing.random(case["N"], case["C"], case["H"], case["W"]).contiguous(memory_format=torch.channels_last)
    weight = timing.random(case["K"], case["C"], case["R"], case["R"]).contiguous(memory_format=torch.channels_last)
    settings = {"stride": case["stride"], "padding": case["pad"]}
    forward = timing.median_us([lambda: functional.conv2d(x, weight, **settings)])
    dy = torch.randn_like(functional.conv2d(x, weight, **settings))

    def backward():
        return torch.ops.aten.convolution_backward(dy, x, weight, None, [case["stride"]] * 2, [case["pad"]] * 2, [1, 1],
                                                   False, [0, 0], 1, [True, True, False])

    return {"fwd_us": forward, "bwd_us": timing.median_us([backward])}
