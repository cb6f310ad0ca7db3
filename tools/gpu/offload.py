"""Activation offload over the host link: tensors saved by the forward pass are copied to pinned host memory on a side
stream, and prefetched in reverse order during the backward pass."""
import torch
from torch.multiprocessing.reductions import StorageWeakRef

LEAST_BYTES = 1 << 20
AHEAD = 3  # saved tensors prefetched ahead of use


def packed(tensor):
    """The tensor made dense, since strided copies to the host are slow."""
    dense = tensor.is_contiguous() or (tensor.dim() == 4 and tensor.is_contiguous(memory_format=torch.channels_last))
    return tensor if dense else tensor.contiguous()


class Saved:
    """A saved tensor that is being offloaded, offloaded, or being prefetched."""

    def __init__(self, tensor, host):
        self.host, self.shape, self.stride = host, tensor.shape, tensor.stride()
        self.dtype, self.uses, self.device, self.there, self.back = tensor.dtype, 0, None, None, None


class Offload(torch.autograd.graph.saved_tensors_hooks):
    """A context for one forward pass. `pool` keeps pinned buffers from step to step."""

    def __init__(self, pool, parameters):
        self.out, self.into = pool.streams
        self.pool, self.saved, self.known = pool, [], {}
        self.parameters = {parameter.data_ptr() for parameter in parameters}
        self.fetched = None
        super().__init__(self.pack, self.unpack)

    def __enter__(self):
        super().__enter__()
        return self

    def pack(self, tensor):
        size = tensor.numel() * tensor.element_size()
        if size < LEAST_BYTES or not tensor.is_cuda or tensor.data_ptr() in self.parameters:
            return tensor
        storage = StorageWeakRef(tensor.untyped_storage())
        key = (storage.cdata, tensor.storage_offset(), tensor.shape, tensor.stride(), tensor.dtype, tensor._version)
        # The address of a freed storage may be reused; the weak reference keeps it reserved.
        if key not in self.known or self.known[key][0].expired():
            self.known[key] = (storage, self.send(packed(tensor.detach())))
        saved = self.known[key][1]
        saved.uses += 1
        return saved

    def send(self, tensor):
        saved = Saved(tensor, self.pool.take(tensor))
        self.out.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.out):
            saved.host.copy_(tensor, non_blocking=True)
            saved.there = self.out.record_event()
        tensor.record_stream(self.out)
        self.saved.append(saved)
        return saved

    def unpack(self, saved):
        if not isinstance(saved, Saved):
            return saved
        if self.fetched is None:
            self.fetched = len(self.saved)
            self.known.clear()
        asked = next((i for i in range(len(self.saved) - 1, -1, -1) if self.saved[i] is saved))
        while self.fetched > max(0, asked - AHEAD):
            self.fetched -= 1
            self.fetch(self.saved[self.fetched])
        torch.cuda.current_stream().wait_event(saved.back)
        tensor = saved.device
        tensor.record_stream(torch.cuda.current_stream())
        saved.uses -= 1
        if saved.uses == 0:
            saved.device = None
        return tensor

    def fetch(self, saved):
        self.into.wait_event(saved.there)
        # Not before the kernels that run now, to limit the memory in use.
        self.into.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.into):
            saved.device = torch.empty_strided(saved.shape, saved.stride, dtype=saved.dtype, device="cuda")
            saved.device.copy_(saved.host, non_blocking=True)
            saved.back = self.into.record_event()

    def bytes(self):
        return sum(saved.host.numel() * saved.host.element_size() for saved in self.saved)


class Pool:
    """Pinned host buffers, which are slow to allocate and reused in every step."""

    def __init__(self):
        self.free, self.used = {}, []
        self.streams = torch.cuda.Stream(), torch.cuda.Stream()

    def take(self, tensor):
        key = (tensor.shape, tensor.stride(), tensor.dtype)
        buffers = self.free.setdefault(key, [])
        buffer = buffers.pop() if buffers else torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype,
                                                                   pin_memory=True)
        self.used.append((key, buffer))
        return buffer

    def next_step(self):
        for key, buffer in self.used:
            self.free[key].append(buffer)
        self.used = []
