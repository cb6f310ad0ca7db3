"""Clock, power, energy and temperature of the GPU, from NVIDIA's management library; None where it is missing."""
import ctypes
import functools

SM_CLOCK, MEMORY_CLOCK = 1, 2


@functools.lru_cache(maxsize=1)
def library():
    """The library and the first device."""
    try:
        nvml = ctypes.CDLL("libnvidia-ml.so.1")
    except OSError:
        return None, None
    device = ctypes.c_void_p()
    if nvml.nvmlInit_v2() or nvml.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(device)):
        return None, None
    return nvml, device


def read(function, result, *arguments):
    nvml, device = library()
    if nvml is None or getattr(nvml, function)(device, *arguments, ctypes.byref(result)):
        return None
    return result.value


def clock_MHz():
    return read("nvmlDeviceGetClockInfo", ctypes.c_uint(), SM_CLOCK)


def memory_clock_MHz():
    return read("nvmlDeviceGetClockInfo", ctypes.c_uint(), MEMORY_CLOCK)


def temperature_C():
    return read("nvmlDeviceGetTemperature", ctypes.c_uint(), 0)


def energy_J():
    """Since the driver was loaded; updated several times a second."""
    energy = read("nvmlDeviceGetTotalEnergyConsumption", ctypes.c_ulonglong())
    return None if energy is None else 1e-3 * energy
