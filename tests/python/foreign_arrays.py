"""Arrays of no library, for tests of DLPack."""
import ctypes

import numpy as np

CPU, CUDA = 1, 2  # of DLPack


def writable(memory):
    """A view. numpy before 2.1 does not write to arrays that come by DLPack."""
    view = np.from_dlpack(memory)
    if view.flags.writeable:
        return view
    size = view.itemsize + sum((n - 1) * step for n, step in zip(view.shape, view.strides))
    return np.ndarray(view.shape, view.dtype, (ctypes.c_char * size).from_address(view.ctypes.data), strides=view.strides)


_given = {}


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _let_go(managed):
    _given[managed].pop()


class Tensor:
    """An array that speaks DLPack and says that it is in the memory of a GPU, or of the host."""

    def __init__(self, array, kind, index=0, strides=None):
        self.array, self.device, self.streams = array, (kind, index), []
        shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        strides = None if strides is None else (ctypes.c_int64 * array.ndim)(*strides)
        code = {"f": 2, "i": 0, "u": 1, "b": 6}[array.dtype.kind]

        class DataType(ctypes.Structure):
            _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]

        class Managed(ctypes.Structure):
            _fields_ = [("data", ctypes.c_void_p), ("kind", ctypes.c_int32), ("index", ctypes.c_int32), ("ndim", ctypes.c_int32),
                        ("dtype", DataType), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
                        ("byte_offset", ctypes.c_uint64), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]
        self.managed = Managed(array.ctypes.data, kind, index, array.ndim, DataType(code, 8 * array.itemsize, 1),
                               ctypes.addressof(shape), ctypes.addressof(strides) if strides else None, 0, None,
                               ctypes.cast(_let_go, ctypes.c_void_p))
        self.kept = shape, strides

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, stream=None, **_):
        self.streams.append(stream)
        _given.setdefault(ctypes.addressof(self.managed), []).append(self)  # until the taker lets it go
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.managed), b"dltensor", None)
