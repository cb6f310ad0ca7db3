"""Whole training steps: forward, backward, plain SGD; images in bf16 with channels last, GPT in bf16, recurrent networks in
fp16 (see recurrent.py). `resident` keeps saved activations on the device, and is replayed as a graph, to exclude launches
from Python; `offload` offloads saved activations over 1 MB to the host (offload.py), and is launched by Python."""
import itertools

import torch
from torch.nn import functional

from gpu import networks, offload, timing

COLUMNS = ("model", "config", "dtype", "memory", "iteration_ms", "peak_gib", "params", "offloaded_gib")
KEY = ("model", "config", "dtype", "memory")
K = 1024
GIB = 1 << 30


def cases(quick):
    rows = []

    def add(model, memories=("resident", "offload"), **config):
        text = " ".join(f"{key}={value}" for key, value in config.items())
        rows.extend({"model": model, "config": text, "dtype": precision(model), "memory": memory} for memory in memories)

    for model in networks.IMAGE_NETWORKS:
        for batch in ((128,) if quick else (64, 128, 256, 512)):
            if model != "vgg19" or batch <= 256:
                add(model, ("resident", "offload") if batch in (128, 256) else ("resident",), batch=batch)
    gpts = ((12, 768, 12, 1024, 8), (24, 1024, 16, 1024, 8), (24, 2048, 16, 1024, 4), (12, 4096, 32, 2048, 2))
    for layers, hidden, heads, seq, batch in gpts[:1] if quick else gpts:
        add("gpt", layers=layers, hidden=hidden, heads=heads, vocab=50304, seq=seq, batch=batch)
    for kind, hidden, steps in (("vanilla", 2560, 50), ("lstm", 1024, 25), ("lstm", 4096, 25), ("gru", 2816, 187)):
        for batch in ((128,) if quick else (128, 512)):
            add(kind, hidden=hidden, steps=steps, batch=batch)
    add("lm", layers=2, hidden=2 * K, vocab=8 * K, steps=20, batch=512)
    # The grid on which DeepFlow was validated, two layers over 20 steps.
    sides = (2 * K, 6 * K) if quick else (2 * K, 4 * K, 6 * K)
    for batch, hidden, vocab in itertools.product(sides, repeat=3):
        add("lm", ("resident",), layers=2, hidden=hidden, vocab=vocab, steps=20, batch=batch)
    return rows


def precision(model):
    return "fp16" if model == "lm" or model in networks.RECURRENT else "bf16"


def measure(case):
    torch.backends.cudnn.benchmark = True
    config = {key: int(value) for key, value in (part.split("=") for part in case["config"].split())}
    model, step = prepare(case["model"], config)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)
    torch.cuda.reset_peak_memory_stats()
    time_us, moved = (offloaded if case["memory"] == "offload" else resident)(model, step, optimizer)
    return {"iteration_ms": 1e-3 * time_us, "peak_gib": torch.cuda.max_memory_allocated() / GIB,
            "params": sum(parameter.numel() for parameter in model.parameters()), "offloaded_gib": moved / GIB}


def resident(_model, step, optimizer):
    def work():
        step().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return timing.graph_us(work), 0


def offloaded(model, step, optimizer):
    pool = offload.Pool()
    moved = []

    def work():
        with offload.Offload(pool, model.parameters()) as saved:
            loss = step()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        moved.append(saved.bytes())
        pool.next_step()

    return timing.eager_us(work), moved[-1]


def prepare(name, config):
    """The model on the GPU, and a function that runs it forward to its loss."""
    settings = {"device": "cuda", "dtype": torch.float16 if precision(name) == "fp16" else torch.bfloat16}
    if name in networks.IMAGE_NETWORKS:
        model, side = networks.IMAGE_NETWORKS[name]()
        model = model.to(**settings, memory_format=torch.channels_last)
        images = torch.randn(config["batch"], 3, side, side, **settings).contiguous(memory_format=torch.channels_last)
        labels = torch.randint(1000, (config["batch"],), device="cuda")
        return model, lambda: functional.cross_entropy(model(images), labels)
    if name in networks.RECURRENT:
        model = networks.RECURRENT[name](config["hidden"], config["hidden"], **settings)
        x = torch.randn(config["steps"], config["batch"], config["hidden"], **settings, requires_grad=True)
        dy = torch.randn_like(x, requires_grad=False)
        return model, lambda: (model(x)[0] * dy).sum()
    if name == "gpt":
        model = networks.Gpt(config["layers"], config["hidden"], config["heads"], config["vocab"], config["seq"])
        shape = (config["batch"], config["seq"])
    else:
        model = networks.LanguageModel(config["layers"], config["hidden"], config["vocab"])
        shape = (config["steps"], config["batch"])
    model = model.to(**settings)
    words, labels = (torch.randint(config["vocab"], shape, device="cuda") for _ in range(2))
    return model, lambda: functional.cross_entropy(model(words).flatten(0, 1), labels.flatten())
