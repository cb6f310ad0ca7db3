"""The steps of training.py: language models with fused AdamW, other networks with plain SGD; images channels last."""
import contextlib

import torch
from torch.nn import functional

from gpu import language_models, networks, offload


def prepare(case, config):
    """The model on the GPU, and a function that runs one step."""
    if case["model"] in ("gpt", "llama"):
        model, losses = language_model(case, config)
        work = update_with_masters(model, losses) if case["weights"] == "master" else update(
            losses, torch.optim.AdamW(model.parameters(), lr=1e-6, fused=True, capturable=True))
    else:
        model, loss = network(case["model"], config)
        if case["code"] == "compiled":
            loss = torch.compile(loss, dynamic=False)
        losses = [loss]
        work = update(losses, torch.optim.SGD(model.parameters(), lr=1e-6))
    return model, offloaded(model, work) if case["memory"] == "offload" else work


def update(losses, optimizer):
    def work(context=contextlib.nullcontext):
        for loss in losses:
            with context():
                value = loss()
            value.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return work


def update_with_masters(model, losses):
    """bf16 weights; fp32 masters, and fp32 gradients to which those of each micro-batch are added."""
    weights = list(model.parameters())
    masters = [weight.detach().float() for weight in weights]
    for master in masters:
        master.grad = torch.zeros_like(master)
    sums = [master.grad for master in masters]
    optimizer = torch.optim.AdamW(masters, lr=1e-6, fused=True, capturable=True)

    def work():
        torch._foreach_zero_(sums)
        for loss in losses:
            loss().backward()
            torch._foreach_add_(sums, [weight.grad for weight in weights])
            for weight in weights:
                weight.grad = None
        optimizer.step()
        with torch.no_grad():
            torch._foreach_copy_(weights, masters)

    return work


def offloaded(model, update_step):
    pool = offload.Pool()

    def work():
        hooks = []

        def context():
            hooks.append(offload.Offload(pool, model.parameters()))
            return hooks[-1]

        update_step(context)
        work.moved.append(sum(hook.bytes() for hook in hooks))
        pool.next_step()

    work.moved = []
    return work


def language_model(case, config):
    """The model, and the loss of each micro-batch."""
    casts = case["weights"] == "autocast"
    with torch.device("cuda"):
        model = language_models.Transformer(case["model"] == "llama", config)
    model = model if casts else model.bfloat16()
    if case["code"] == "compiled":
        model.compile_parts()
    shape = (config["batch"], config["seq"])

    def micro():
        tokens, labels = (torch.randint(config["vocab"] // config["tp"], shape, device="cuda") for _ in range(2))

        def loss():
            with torch.autocast("cuda", torch.bfloat16, enabled=casts):
                return model(tokens, labels) / config["micros"]

        return loss

    return model, [micro() for _ in range(config["micros"])]


def network(name, config):
    """A network of images or a recurrent one, and its loss."""
    settings = {"device": "cuda", "dtype": torch.bfloat16 if name in networks.IMAGE_NETWORKS else torch.float16}
    if name in networks.IMAGE_NETWORKS:
        with torch.device("cuda"):
            model, side = networks.IMAGE_NETWORKS[name]()
        model = model.to(**settings, memory_format=torch.channels_last)
        images = torch.randn(config["batch"], 3, side, side, **settings).contiguous(memory_format=torch.channels_last)
        labels = torch.randint(1000, (config["batch"],), device="cuda")
        return model, lambda: functional.cross_entropy(model(images), labels)
    shape = (config["steps"], config["batch"])
    if name in networks.RECURRENT:
        model = networks.RECURRENT[name](config["hidden"], config["hidden"], **settings)
        x = torch.randn(*shape, config["hidden"], **settings, requires_grad=True)
        dy = torch.randn_like(x, requires_grad=False)
        return model, lambda: (model(x)[0] * dy).sum()
    with torch.device("cuda"):
        model = networks.LanguageModel(config["layers"], config["hidden"], config["vocab"]).to(**settings)
    tokens, labels = (torch.randint(config["vocab"], shape, device="cuda") for _ in range(2))
    return model, lambda: functional.cross_entropy(model(tokens).flatten(0, 1), labels.flatten())
