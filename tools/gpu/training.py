"""Whole training steps: forward, backward, update. `memory`: `resident`, or `offload` with saved activations over 1 MB
offloaded to the host (offload.py). `code`: eager or compiled; `launch`: by Python, without a pause between steps, or
replayed as a graph, without Python. `host_ms`: until the host has issued one step, alone; `launches`: kernels, copies
and fills of the graph. Models are those of steps.py. Peaks of replayed steps include those of their capture."""
import gc
import itertools

from gpu import design, timing
from gpu.framework import torch

COLUMNS = ("model", "config", "dtype", "weights", "memory", "code", "launch", "iteration_ms", "peak_gib",
           "reserved_gib", "params", "offloaded_gib", "host_ms", "launches")
KEY = ("model", "config", "dtype", "weights", "memory", "code", "launch")
SHAPE = ("model", "config", "weights")
WEIGHT = 44
GIB = 1 << 30
MAX_GIB = 40
MAX_OFFLOADED_GIB = 16
MAX_SECONDS = 0.3
IMAGE_NETWORKS = ("alexnet", "vgg19", "googlenet", "resnet34", "resnet50")
RECURRENT = ("vanilla", "lstm", "gru", "lm")
VOCABULARIES = (32000, 32768, 49152, 50257, 50304, 64000, 100352, 128256, 151936)


def cases(name="training"):
    for u in design.points(name, 12):
        kind = design.choice(u[0], {"language": 64, "images": 22, "recurrent": 14})
        case, config = {"language": language_model, "images": images, "recurrent": recurrent}[kind](u[1:])
        case["config"] = " ".join(f"{key}={value}" for key, value in config.items())
        seconds, gib = estimate(case["model"], config)
        if seconds > MAX_SECONDS or gib > MAX_GIB:
            continue
        for code, launch in itertools.product(("eager", "compiled"), ("python", "replay")):
            if code == "eager" or kind == "language" or kind == "images" and u[11] < 0.25:
                yield {**case, "memory": "resident", "code": code, "launch": launch}
        if u[10] < (0.1 if kind == "language" else 0.5) and case["weights"] == "same" and gib < MAX_OFFLOADED_GIB:
            yield {**case, "memory": "offload", "code": "eager", "launch": "python"}


def language_model(u):
    """A GPT or Llama; `weights`: `same` in bf16 with all states, `master` with fp32 masters, gradients and states, or
    `autocast`, fp32 and cast for each product."""
    is_llama = u[0] < 0.6
    dim = design.choice(u[1], {64: 2, 128: 3})
    ranks = design.choice(u[2], {1: 5, 2: 2, 4: 2, 8: 1})
    heads = ranks * max(1, round(design.log_uniform(u[3], 512, 8192) / dim / ranks))
    group = design.choice(u[4] * 7 % 1, (1, 2, 4, 8)) if is_llama else 1
    kv_heads = heads // group if heads % (group * ranks) == 0 else heads
    hidden = heads * dim
    seq = design.log_uniform(u[5], 256, 16384, 64)
    wide = 128 * ranks * round(design.choice(u[4], (8 / 3, 3.5)) * hidden / 128 / ranks)
    config = {"layers": design.log_uniform(u[6], 1, 24), "hidden": hidden, "heads": heads, "kv_heads": kv_heads,
              "dim": dim, "inner": wide if is_llama else 4 * hidden, "vocab": design.choice(u[7], VOCABULARIES),
              "seq": seq,
              "batch": max(1, round(design.log_uniform(u[8], 2048, 32768) / seq)),
              "micros": design.choice(u[9] * 5 % 1, {1: 6, 2: 2, 4: 2}), "tp": ranks}
    weights = design.choice(u[9], {"same": 4, "master": 4, "autocast": 2})
    if u[10] < 0.3:
        config["recompute"] = 1
    if weights != "same":
        config["fp32_loss"] = 1
    return {"model": "llama" if is_llama else "gpt", "dtype": "bf16", "weights": weights}, config


def images(u):
    model = design.choice(u[0], IMAGE_NETWORKS)
    return {"model": model, "dtype": "bf16", "weights": "same"}, {"batch": design.log_uniform(u[1], 8, 512)}


def recurrent(u):
    """In fp16 (recurrent.py)."""
    model = design.choice(u[0], RECURRENT)
    config = {"hidden": design.log_uniform(u[1], 256, 4096, 64), "steps": design.log_uniform(u[2], 8, 200),
              "batch": design.log_uniform(u[3], 16, 2048)}
    if model == "lm":
        config = {"layers": design.log_uniform(u[4], 1, 4), "vocab": design.log_uniform(u[5], 2048, 32768, 64),
                  **config}
    return {"model": model, "dtype": "fp16", "weights": "same"}, config


def estimate(model, config):
    """Seconds and GiB of one step, roughly."""
    if model in IMAGE_NETWORKS:
        return {"alexnet": 3e-5, "vgg19": 3e-4, "googlenet": 1.2e-4, "resnet34": 1e-4, "resnet50": 1.7e-4}[model] * \
            config["batch"], 0.1 * config["batch"]
    if model in RECURRENT:
        tokens, vocab = config["batch"] * config["steps"], config.get("vocab", 0)
        cells = config.get("layers", 1) * config["hidden"] * tokens
        flops = 6.0 * 8 * config["hidden"] * cells + 6.0 * config["hidden"] * vocab * tokens
        return flops / 2e14, (24 * cells + 8 * vocab * tokens) / GIB
    hidden, layers, tokens, ranks = config["hidden"], config["layers"], config["batch"] * config["seq"], config["tp"]
    block = (4 * hidden**2 + 3 * hidden * config["inner"]) / ranks
    vocabulary = hidden * config["vocab"] / ranks
    flops = tokens * config["micros"] * 6.0 * (layers * (block + hidden * config["seq"] / ranks) + vocabulary)
    saved = tokens * layers * (16 * hidden + 30 * hidden / ranks + 10 * config["inner"] / ranks)
    return flops / 4e14, (18 * (layers * block + 2 * vocabulary) + saved + 14 * tokens * config["vocab"] / ranks) / GIB


def cost(case):
    seconds, gib = estimate(case["model"], config_of(case))
    return gib * GIB, seconds


def config_of(case):
    return {key: int(value) for key, value in (part.split("=") for part in case["config"].split())}


def step_of(case):
    """The model, and its step."""
    from gpu import steps
    torch.backends.cudnn.benchmark = True
    return steps.prepare(case, config_of(case))


def measure(case):
    gc.collect()
    torch._C._cuda_clearCublasWorkspaces()  # they may be part of a large block
    torch.cuda.empty_cache()
    allocated, reserved = torch.cuda.memory_allocated(), torch.cuda.memory_reserved()
    model, step = step_of(case)
    for _ in range(2):  # creates the optimizer's states, chooses algorithms, compiles
        step()
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    row = {"params": sum(parameter.numel() for parameter in model.parameters()), "offloaded_gib": 0, "launches": 0,
           "host_ms": 0}
    if case["launch"] == "replay":
        graph = timing.capture(step, keep_graph=True)
        row.update(iteration_ms=1e-3 * timing.eager_us(graph.replay), launches=timing.launches_of(graph))
    else:
        row.update(iteration_ms=1e-3 * timing.loop_us(step), host_ms=1e-3 * timing.host_us(step, 1, 3))
    if case["memory"] == "offload":
        row["offloaded_gib"] = step.moved[-1] / GIB
        torch._C._host_emptyCache()
    return {**row, "peak_gib": (torch.cuda.max_memory_allocated() - allocated) / GIB,
            "reserved_gib": (torch.cuda.max_memory_reserved() - reserved) / GIB}
