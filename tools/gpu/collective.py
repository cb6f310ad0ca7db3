"""NCCL collectives between the GPUs of this machine; no cases with a single GPU."""
import os
import statistics

from gpu import design
from gpu.framework import torch

COLUMNS = ("op", "devices", "devices_per_node", "bytes", "time_us")
KEY = ("op", "devices", "bytes")
WEIGHT = 10
OPS = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast")
BANDWIDTH = 2e10


def cases(name="collective"):
    count = torch.cuda.device_count() if torch else 0
    groups = [devices for devices in (2, 4, 8, 16) if devices <= count]
    for u in design.points(name, 3) if groups else ():
        case = {"op": design.choice(u[0], OPS), "devices": design.choice(u[1], groups),
                "bytes": design.log_uniform(u[2], 2 << 10, 1 << 30, 32)}
        if design.is_affordable(cost(case)):
            yield case


def cost(case):
    return 2 * case["bytes"], case["bytes"] / BANDWIDTH


def measure(case):
    queue = torch.multiprocessing.get_context("spawn").SimpleQueue()
    torch.multiprocessing.spawn(worker, args=(case, queue), nprocs=case["devices"])
    return {"devices_per_node": torch.cuda.device_count(), "time_us": queue.get()}


def worker(rank, case, queue):
    import torch.distributed as dist
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29511")
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", rank=rank, world_size=case["devices"])
    n, elements = case["devices"], case["bytes"] // 2
    whole = torch.randn(elements // n * n, device="cuda", dtype=torch.bfloat16)
    part, other = whole[:elements // n].clone(), torch.empty_like(whole)
    work = {"all_reduce": lambda: dist.all_reduce(whole), "all_gather": lambda: dist.all_gather_into_tensor(whole, part),
            "reduce_scatter": lambda: dist.reduce_scatter_tensor(part, whole),
            "all_to_all": lambda: dist.all_to_all_single(other, whole), "broadcast": lambda: dist.broadcast(whole, 0)}
    times = []
    for _ in range(25):
        dist.barrier()
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        work[case["op"]]()
        end.record()
        end.synchronize()
        times.append(1e3 * begin.elapsed_time(end))
    if rank == 0:
        queue.put(statistics.median(times[5:]))
    dist.destroy_process_group()
