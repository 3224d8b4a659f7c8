"""Arrays of others, and batches that stay on a device: the mock of a GPU, whose memory is the host's."""
import ctypes

import jostle as js
import numpy as np
import pytest
from conftest import library


def writable(memory):
    """A view. numpy before 2.1 does not write to arrays that come by DLPack."""
    view = np.from_dlpack(memory)
    if view.flags.writeable:
        return view
    size = view.itemsize + sum((n - 1) * step for n, step in zip(view.shape, view.strides))
    return np.ndarray(view.shape, view.dtype, (ctypes.c_char * size).from_address(view.ctypes.data), strides=view.strides)


class Tensor:
    """An array that speaks DLPack and says that it is in the memory of a GPU, or of the host."""

    def __init__(self, array, kind, index=0, strides=None):
        self.array, self.device = array, (kind, index)
        shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        strides = None if strides is None else (ctypes.c_int64 * array.ndim)(*strides)
        code = {"f": 2, "i": 0}[array.dtype.kind]

        class DataType(ctypes.Structure):
            _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]

        class Managed(ctypes.Structure):
            _fields_ = [("data", ctypes.c_void_p), ("kind", ctypes.c_int32), ("index", ctypes.c_int32), ("ndim", ctypes.c_int32),
                        ("dtype", DataType), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
                        ("byte_offset", ctypes.c_uint64), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]
        self.managed = Managed(array.ctypes.data, kind, index, array.ndim, DataType(code, 8 * array.itemsize, 1),
                               ctypes.addressof(shape), ctypes.addressof(strides) if strides else None, 0, None, None)
        self.kept = shape, strides

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **_):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.managed), b"dltensor", None)


CPU, CUDA = 1, 2


@pytest.mark.parametrize("kind, device", [(CPU, "cpu"), (CPU, "emulated"), (CUDA, "emulated")])
def test_any_array_of_dlpack_can_be_assigned(kind, device):
    def tensor(values, dtype=float):
        return Tensor(np.ascontiguousarray(values, dtype=dtype), kind)
    b, expected = library("rod").batch(3, device=device), library("rod").batch(3)
    mu, force, velocity = np.array([0.3, 0.5, 0.7]), np.array([[0.1, 0, 0], [0, 0.2, 0], [0, 0, 0]]), np.full((3, 3), [0.5, 0, 0])
    b["mu"], expected["mu"] = tensor(mu), mu
    b.body("rod").mass, expected.body("rod").mass = tensor([1, 1.5, 2], np.float32), [1, 1.5, 2]
    b.body("rod").force, expected.body("rod").force = tensor(force), force
    b.body("rod").velocity, expected.body("rod").velocity = tensor(velocity), velocity
    b.q, b.v = tensor(b.q.copy()), tensor(b.v.copy())
    b.step(150)
    expected.step(150)
    assert (b.digests() == expected.digests()).all() and (b.status == 0).all()
    with pytest.raises(ValueError, match="needs one number, or 3"):
        b["mu"] = tensor([1, 2])


def test_arrays_of_a_gpu_that_cannot_be_read_say_why():
    b = library("rod").batch(3)
    with pytest.raises(js.UsageError, match="the batch is on the CPU"):
        b["mu"] = Tensor(np.ones(3), CUDA)
    b = library("rod").batch(3, device="emulated")
    with pytest.raises(js.UsageError, match="on GPU 1, the batch on GPU 0"):
        b["mu"] = Tensor(np.ones(3), CUDA, index=1)
    with pytest.raises(js.UsageError, match="must be contiguous"):
        b.body("rod").velocity = Tensor(np.ones((3, 3)), CUDA, strides=(1, 3))
    with pytest.raises(js.UsageError, match="float64 or float32"):
        b["mu"] = Tensor(np.ones(3, np.int32), CUDA)


def test_a_tensor_of_torch_is_an_array():
    torch = pytest.importorskip("torch")
    b = library("rod").batch(3)
    b["mu"] = torch.tensor([0.3, 0.5, 0.7], requires_grad=False, dtype=torch.float64)
    assert b["mu"].tolist() == [0.3, 0.5, 0.7]
    q = torch.from_dlpack(b.q)
    before = q.clone()
    b.step(50)
    assert (q[:, 0, 1] < before[:, 0, 1]).all(), "live, without a copy"
    assert q.data_ptr() == b.q.ctypes.data


def test_systems_that_stay_on_the_device_have_the_bits_of_the_batch():
    b, expected = library("rod").batch(5, device="emulated"), library("rod").batch(5)
    b.body("rod").velocity[2] = expected.body("rod").velocity[2] = [0.3, 0, 0]
    with b.on_device(forces=False) as d:
        velocity, steps = np.from_dlpack(d["velocity"]), np.from_dlpack(d["steps"])
        assert velocity.shape == (5, 2, 3) and steps.shape == (5,) and d.fields["velocity"] == "m/s"
        assert (velocity[2, 1] == [0.3, 0, 0]).all()
        assert d.step(30) == 30 and d.step(120, wakes=False) == 150
        assert (steps == 150).all()
        expected.step(150)
        assert (velocity[:, 1] == expected.v[:, 0, :3]).all(), "live"
        assert (np.from_dlpack(d["orientation"])[:, 1] == expected.q[:, 0, 3:]).all()
    assert (b.digests() == expected.digests()).all() and (b.q == expected.q).all() and (b.steps == 150).all()
    b.step(50)
    expected.step(50)
    assert (b.digests() == expected.digests()).all()


def test_forces_and_parameters_are_written_on_the_device():
    b = library("cube_toss").batch(6, device="emulated")
    friction = np.linspace(0.1, 0.6, 6)
    with b.on_device() as d:
        force, mu = writable(d.force("cube")), writable(d["friction"])
        velocity = np.from_dlpack(d["velocity"])
        assert force.shape == (6, 6) and mu.shape == (6, 1)
        mu[:, 0] = friction
        for _ in range(60):
            force[:, :3] = -0.2 * velocity[:, 1]
            d.step()
        final = force.copy()
    for i in range(6):
        one = library("cube_toss", set={"contacts[0].friction": float(friction[i])}).batch(ids=[i])
        cube = one.body("cube")
        for _ in range(60):
            cube.force[:] = -0.2 * cube.velocity
            one.step()
        assert one.status[0] == b.status[i] == 0 and (one.q[0] == b.q[i]).all() and (one.v[0] == b.v[i]).all(), i
    assert (b.body("cube").force == final[:, :3]).all(), "the batch has the forces that were written there"


def test_a_force_on_the_device_wakes_a_body_at_rest():
    b = library("rod").batch(4, device="emulated")
    b.step(350)
    assert (b.v == 0).all(), "the rods lie"
    with b.on_device() as d:
        force = writable(d.force("rod"))
        force[:, 1] = 30
        d.step(20)
    assert (b.v[:, 0, 1] > 0.5).all()


def test_what_cannot_stay_on_the_device_says_why():
    with pytest.raises(js.UsageError, match="the batch is on the CPU"):
        library("rod").batch(2).on_device()
    with pytest.raises(js.UsageError, match="keeps contacts"):
        library("rod").batch(2, contacts=True, device="emulated").on_device()
    b = library("rod").batch(2, device="emulated")
    b.step(3, where=np.array([True, False]))
    with pytest.raises(js.UsageError, match="as many steps, not 3 and 0"):
        b.on_device()
    b.reset()
    with b.on_device(forces=False) as d:
        with pytest.raises(js.UsageError, match="bring them back first"):
            b.step()
        with pytest.raises(js.UsageError, match="bring them back first"):
            b["mu"] = 1
        with pytest.raises(KeyError, match="did you mean 'velocity'"):
            d["velocty"]
    b.step()
    never = library("rod").batch(2, device="emulated")
    with never.on_device(forces=False) as d, pytest.raises(js.UsageError, match="forces=True"):
        d.force("rod")


def test_an_array_of_the_device_keeps_its_memory():
    b = library("rod").batch(4, device="emulated")
    with b.on_device(forces=False) as d:
        position = np.from_dlpack(d["position"])
        d.step(10)
        expected = position.copy()
    del b, d
    assert (position == expected).all()
