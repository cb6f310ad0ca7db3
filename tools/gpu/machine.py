"""The description of the machine, machine.yaml."""
import platform
import shutil
import subprocess

from gpu import nvml, power, timing
from gpu.framework import torch


def write(folder):
    device = torch.cuda.get_device_properties(0)
    lines = {
        "name": device.name,
        "compute_capability": f"{device.major}.{device.minor}",
        "multiprocessors": device.multi_processor_count,
        "memory_B": device.total_memory,
        "l2_cache_B": device.L2_cache_size,
        **queried(),
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "cudnn": torch.backends.cudnn.version(),
        "python": platform.python_version(),
        "copy_Bps": f"{copy_rate():.4g}  # device to device, read and written, 4 GiB",
        "matrix_flops": f"{matrix_rate():.4g}  # bf16, 8192 x 8192 x 8192, random data",
        **sustained(),
    }
    (folder / "machine.yaml").write_text("".join(f"{key}: {value}\n" for key, value in lines.items()))


def queried():
    """From nvidia-smi, if available."""
    fields = {"driver": "driver_version", "power_limit_W": "power.limit", "power_limit_most_W": "power.max_limit",
              "sm_clock_most_MHz": "clocks.max.sm", "memory_clock_most_MHz": "clocks.max.memory",
              "pcie_generation": "pcie.link.gen.max", "pcie_lanes": "pcie.link.width.max"}
    if not shutil.which("nvidia-smi"):
        return {}
    done = subprocess.run(["nvidia-smi", "--query-gpu=" + ",".join(fields.values()), "--format=csv,noheader,nounits",
                           "--id=0"], capture_output=True, text=True, check=False)
    return dict(zip(fields, (value.strip() for value in done.stdout.split(",")))) if done.returncode == 0 else {}


def copy_rate():
    source = timing.random(2 << 30)
    target = torch.empty_like(source)
    return 2 * source.numel() * 2 / (1e-6 * timing.median_us([lambda: target.copy_(source)]))


def square():
    a, b = timing.random(8192, 8192), timing.random(8192, 8192)
    return lambda: a @ b


def matrix_rate():
    return 2 * 8192**3 / (1e-6 * timing.median_us([square()]))


def sustained():
    """Power and clock, if they can be read, of the same products one after the other."""
    if nvml.energy_J() is None:
        return {}
    graph, calls = timing.capture_many([square()], timing.GRAPH_US)
    seen = power.sampled(graph.replay, calls)
    return {"sustained_matrix_flops": f"{2 * 8192**3 / (1e-6 * seen['time_us']):.4g}  # the same for a second",
            "sustained_power_W": f"{seen['power_W']:.0f}", "sustained_sm_clock_MHz": f"{seen['clock_MHz']:.0f}"}
