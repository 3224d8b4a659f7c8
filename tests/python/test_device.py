"""Arrays of others, and batches that stay on a device: the mock of a GPU, whose memory is the host's."""
import sys
import types

import jostle as js
import numpy as np
import pytest
from conftest import library
from foreign_arrays import CPU, CUDA, Tensor, writable
from jostle._device import current_stream


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
        d.step(30)
        d.step(120, wakes=False)
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


def test_systems_are_stepped_apart_and_put_back_on_the_device():
    b, expected = library("rod").batch(6, device="emulated"), library("rod").batch(6)
    fall = np.array([True, False, True, True, False, True])
    b.step(4, where=fall)
    expected.step(4, where=fall)
    with b.on_device(forces=False) as d:
        steps, position = np.from_dlpack(d["steps"]), np.from_dlpack(d["position"])
        assert steps.tolist() == [4, 0, 4, 4, 0, 4]
        for where in (fall, Tensor(fall, CUDA), Tensor(fall.astype(np.uint8), CUDA), Tensor(~fall, CUDA), None):
            d.step(70, where=where)
            expected.step(70, where=where.array != 0 if isinstance(where, Tensor) else where)
            assert (steps == expected.steps).all()
        d.step(0)
        d.reset(Tensor(fall, CUDA))
        d.reset([1])
        d.reset(np.zeros(6, bool))
        expected.reset(fall)
        expected.reset([1])
        assert steps.tolist() == [0, 0, 0, 0, 140, 0] and (position[:, 1, 2] == expected.q[:, 0, 2]).all()
        d.step(10_000)
        expected.step(10_000)
    assert (b.digests() == expected.digests()).all() and (b.q == expected.q).all() and (b.steps == expected.steps).all()


def test_a_reset_on_the_device_takes_the_variables_that_are_there():
    sc = library("rod")
    b, expected = sc.batch(3, device="emulated"), sc.batch(3)
    mu = sc.variables.index("mu")
    with b.on_device(forces=False) as d:
        d.step(200)
        writable(d["variables"])[:, mu] = [0.1, 0.5, 0.9]
        d.reset(np.array([True, False, True]))
        d.step(100)
    expected["mu"] = [0.1, expected["mu"][1], 0.9]
    expected.step(300, where=np.array([False, True, False]))
    expected.step(100, where=np.array([True, False, True]))
    assert (b.q == expected.q).all() and (b.steps == expected.steps).all() and b["mu"].tolist() == [0.1, 0.5, 0.9]


def test_what_has_failed_is_well_after_a_reset():
    b = library("rod").batch(3, device="emulated")
    b.v[1] = np.nan
    with b.on_device(forces=False) as d:
        d.step(20)
        status = np.from_dlpack(d["status"])
        assert status.tolist() == [0, 10 - 2, 0]
        d.reset(np.array([False, True, False]))
        d.step(20)
        assert (status == 0).all()
    assert not b.failures() and b.steps.tolist() == [40, 20, 40]


def test_steps_follow_a_stream():
    class OfTorch:
        cuda_stream = 0

    class OfAny:
        def __cuda_stream__(self):
            return 0, 17
    b, expected = library("rod").batch(3, device="emulated"), library("rod").batch(3)
    mask = Tensor(np.array([True, True, False]), CUDA)
    with b.on_device(forces=False) as d:
        d.step(50, where=mask, stream=OfTorch())
        d.step(50, where=mask, stream=OfAny())
        d.reset(mask, stream=99)
        d.step(50, where=mask)
        assert mask.streams == [1, 17, 99, 1], "the mask is written before the stream of the steps goes on"
        for wrong in (-1, "main", 1.5):
            with pytest.raises(ValueError, match="stream must be a stream of CUDA's"):
                d.step(1, stream=wrong)
    expected.step(50, where=mask.array)
    assert (b.digests() == expected.digests()).all()


def test_masks_that_do_not_fit_are_refused():
    b = library("rod").batch(3, device="emulated")
    with b.on_device(forces=False) as d:
        for wrong in (np.ones(2, bool), np.ones(3)):
            with pytest.raises(ValueError, match="3 truth values"):
                d.step(1, where=wrong)
            with pytest.raises(js.UsageError, match="3 truth values"):
                d.step(1, where=Tensor(wrong, CUDA))
        with pytest.raises(js.UsageError, match="the mask is on GPU 1, the batch on GPU 0"):
            d.reset(Tensor(np.ones(3, bool), CUDA, index=1))
        for call in (d.reset, lambda ids: d.step(1, where=ids)):
            with pytest.raises(KeyError, match="sample 7 is not in this batch"):
                call([7])
        assert (np.from_dlpack(d["steps"]) == 0).all()
        d.step(5, where=[2])
        assert np.from_dlpack(d["steps"]).tolist() == [0, 0, 5]
    with pytest.raises(js.UsageError, match="not on the device"):
        d.step()


def test_no_force_on_the_device_moves_a_body_with_prescribed_motion():
    with library("shaker").batch(2, device="emulated").on_device() as d:
        with pytest.raises(js.UsageError, match="body 'plate' has no mass: no force moves it"):
            d.force("plate")
        assert np.from_dlpack(d.force("flat")).shape == (2, 6)


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
    with pytest.raises(js.UsageError, match="without modes=True"):
        library("rod").batch(2, modes=True, device="emulated").on_device()
    b = library("rod").batch(2, device="emulated")
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


@pytest.mark.parametrize("write", [
    lambda b: setattr(b, "q", b.q + 1), lambda b: setattr(b, "v", 1),
    *(lambda b, name=name: setattr(b.body("rod"), name, 1)
      for name in ("position", "orientation", "velocity", "spin", "force", "torque", "mass")),
    lambda b: b.body("rod").force.fill(1)])
def test_what_is_assigned_while_the_systems_are_away_is_an_error(write):
    b = library("rod").batch(2, device="emulated")
    q, v = b.q.copy(), b.v.copy()
    with b.on_device():
        with pytest.raises(js.UsageError, match="bring them back first"):
            write(b)
        assert (b.q == q).all() and (b.v == v).all() and len(b.body("rod").velocity) == 2
    write(b)


def test_an_array_of_the_device_keeps_its_memory():
    b = library("rod").batch(4, device="emulated")
    with b.on_device(forces=False) as d:
        position = np.from_dlpack(d["position"])
        d.step(10)
        expected = position.copy()
    del b, d
    assert (position == expected).all()


def rows_of(c, i):
    """The rows of a system, of contacts on the device."""
    count = int(np.from_dlpack(c.count)[i])
    return {name: np.from_dlpack(c[name])[i, :count] for name in c.fields}


def expect_contacts_of(d, b):
    """Contacts on the device are those of a batch on the host, and what lies beyond them is empty."""
    c, expected = d.contacts, b.contacts
    assert c.pairs == expected.pairs and list(c.fields) == list(expected.fields)
    count = np.from_dlpack(c.count)
    assert (count == np.diff(expected.splits)).all()
    for i in range(len(b)):
        for name, values in rows_of(c, i).items():
            of_host = expected.fields[name][expected.splits[i]:expected.splits[i + 1]]
            assert values.dtype == of_host.dtype and np.array_equal(values, of_host), (name, i)
    beyond = np.arange(c.rows) >= count[:, None]
    for name in c.fields:
        assert (np.from_dlpack(c[name])[beyond] == (-1 if name == "pair" else 0)).all(), name
    bodies = [b._scenario.bodies.index(name) for name in b.bodies]
    assert np.array_equal(np.from_dlpack(d.impulse)[:, bodies], b.impulse)
    return count


@pytest.mark.parametrize("name, calls", [("cube_toss", (1, 29, 1, 9, 20, 58)), ("four_bar", (1, 30, 200)),
                                         ("rod", (150, 1, 200, 3, 100)), ("detent", (40, 1, 100, 200))])
def test_contacts_on_the_device_are_those_of_the_host(name, calls):
    b, expected = library(name).batch(6, contacts=True, device="emulated"), library(name).batch(6, contacts=True)
    with b.on_device(forces=False) as d:
        assert not expect_contacts_of(d, expected).any(), "before the first step"
        for steps in calls:
            d.step(steps, wakes=False)
            expected.step(steps)
            expect_contacts_of(d, expected)
    assert (b.digests() == expected.digests()).all()
    for of_device, of_host in zip(b.contacts, expected.contacts):
        assert all(np.array_equal(of_device[k], of_host[k]) for k in of_host) if isinstance(of_host, dict) \
            else np.array_equal(of_device, of_host)


def test_contacts_open_and_close_on_the_device():
    b, expected = library("tossed_box").batch(8, contacts=True, device="emulated"), library("tossed_box").batch(8, contacts=True)
    mask = np.arange(8) % 3 == 0
    b.step(5)
    expected.step(5)
    seen = []
    with b.on_device() as d:
        for k in range(60):
            where = mask if k % 4 == 1 else None
            d.step(2, where=where)
            expected.step(2, where=where)
            if k == 40:
                d.reset(Tensor(mask, CUDA))
                expected.reset(mask)
            seen.append(expect_contacts_of(d, expected).copy())
    counts = np.array(seen)
    assert (counts[1:] > counts[:-1]).any() and (counts[1:] < counts[:-1]).any()
    assert (counts[39, mask] > 0).all() and (counts[40, mask] == 0).all()
    b.step(3)
    expected.step(3)
    assert (b.contacts.splits == expected.contacts.splits).all() and (b.q == expected.q).all() and (b.v == expected.v).all()


def test_contacts_of_what_fails_and_of_what_is_put_back():
    b = library("cube_toss").batch(3, contacts=True, device="emulated")
    b.step(60)
    before = np.diff(b.contacts.splits)
    assert (before > 0).all()
    with b.on_device(forces=False) as d:
        count = np.from_dlpack(d.contacts.count)
        assert (count == before).all(), "those of the host's last step"
        velocity = writable(d["velocity"])
        velocity[1] = np.nan
        d.step(1)
        assert np.from_dlpack(d["status"])[1] != 0 and count[1] == 0 and (count[[0, 2]] > 0).all()
        d.step(0)
        assert (count[[0, 2]] > 0).all()
        d.reset([0])
        assert count[0] == 0 and count[2] > 0 and (np.from_dlpack(d.impulse)[0] == 0).all()


def test_contacts_find_room_for_all():
    corners = ", ".join(f"[{np.cos(t):.6f}, {np.sin(t):.6f}, {z}]" for t in np.arange(20) * np.pi / 10 for z in (0, 0.5))
    sc = js.load(f"""
jostle: 1
world: {{step: 0.005, duration: 1}}
bodies:
  floor: {{fixed: true, shape: {{half_space: {{normal: [0, 0, 1]}}}}}}
  disc: {{density: 1, position: [0, 0, {{uniform: [0.28, 0.6]}}], shape: {{hull: {{points: [{corners}]}}}}}}
contacts: [{{between: any, friction: 0.5}}]
""")
    b, expected = sc.batch(5, contacts=True, device="emulated"), sc.batch(5, contacts=True)
    with b.on_device(forces=False) as d:
        first = d.contacts
        assert 0 < first.rows < 20
        for steps in (1, 4, 40, 60):
            d.step(steps, wakes=False)
            expected.step(steps)
            expect_contacts_of(d, expected)
        assert d.contacts.rows >= 20 and (np.from_dlpack(d.contacts.count) == 20).all()
        assert (np.from_dlpack(first.count) == -1).all() and (np.from_dlpack(first.pair) == -1).all(), "told to be old"
    assert (b.digests() == expected.digests()).all() and (b.contacts.splits == 20 * np.arange(6)).all()


def test_contacts_on_the_device_must_be_asked_for():
    b = library("rod").batch(2, device="emulated")
    with b.on_device(forces=False) as d:
        for ask in (lambda: d.contacts, lambda: d.impulse):
            with pytest.raises(js.UsageError, match="contacts=True"):
                ask()
    b = library("rod").batch(2, contacts=True, device="emulated")
    with b.on_device(forces=False) as d:
        with pytest.raises(AttributeError, match="did you mean 'impulse_n'"):
            d.contacts.impuls_n
        with pytest.raises(KeyError, match="did you mean 'normal'"):
            d.contacts["nornal"]
        point = np.from_dlpack(d.contacts.point)
        d.step(10)
        expected = point.copy()
    del b, d
    assert (point == expected).all(), "an array keeps its memory"


def test_capturable_steps_follow_a_stream_and_have_the_bits_of_the_batch():
    b, expected = library("tossed_box").batch(6, device="emulated"), library("tossed_box").batch(6)
    fall = np.array([True, False, True, True, False, True])
    mask = Tensor(fall, CUDA)
    with b.on_device(forces=False, capturable=True) as d:
        steps, velocity = np.from_dlpack(d["steps"]), np.from_dlpack(d["velocity"])
        for k, where in ((1, None), (40, mask), (0, None), (3, None)):
            d.step(k, where=where, stream=7)
            expected.step(k, where=None if where is None else fall)
            assert (steps == expected.steps).all() and (velocity[:, 1, :3] == expected.v[:, 0, :3]).all()
        d.reset(mask, stream=7)
        expected.reset(fall)
        d.step(10_000, stream=7)
        expected.step(10_000)
        assert mask.streams == [7, 7]
    assert (b.q == expected.q).all() and (b.v == expected.v).all() and (b.steps == expected.steps).all()


def test_what_is_not_capturable_says_why():
    b = library("rod").batch(2, device="emulated")
    with b.on_device(forces=False, capturable=True) as d:
        for call in (d.step, d.reset):
            with pytest.raises(js.UsageError, match="need the stream"):
                call()
            with pytest.raises(js.UsageError, match="in the memory of the GPU"):
                call(where=np.ones(2, bool), stream=7)
        with pytest.raises(js.UsageError, match="in the memory of the GPU"):
            d.reset([0], stream=7)
    for contacts, capturable, rows, reason in ((True, False, 4, "to be capturable"), (False, True, 4, "keeps contacts"),
                                               (True, True, 0, "1 or more")):
        with pytest.raises(js.UsageError, match=reason):
            library("rod").batch(2, contacts=contacts, device="emulated").on_device(capturable=capturable, contact_rows=rows)


def test_contacts_of_capturable_steps_stay_the_same_arrays():
    b, expected = (library("cube_toss").batch(4, contacts=True, device=device) for device in ("emulated", "cpu"))
    with b.on_device(forces=False, capturable=True, contact_rows=12) as d:
        assert d.contacts.rows >= 12
        count, impulse = np.from_dlpack(d.contacts.count), np.from_dlpack(d.contacts.impulse_n)
        for k in (30, 3, 4):
            d.step(k, stream=7)
            expected.step(k)
            splits = expected.contacts.splits
            assert (count == np.diff(splits)).all()
            for i, own in enumerate(impulse):
                assert (own[:count[i]] == expected.contacts.impulse_n[splits[i]:splits[i + 1]]).all()
        assert count.sum() > 0


@pytest.mark.parametrize("capturable", [False, True])
def test_contacts_of_what_a_condition_has_ended_stay_on_the_device(capturable):
    sc = library("tossed_box", set={"stop_when": "brick.contacts > 0"})
    host, b = (sc.batch(4, contacts=True, device=device, threads=1) for device in ("cpu", "emulated"))
    host.step(100)
    with b.on_device(capturable=capturable) as d:
        for steps in (50, 30, 20):
            d.step(steps, **({"stream": 1} if capturable else {}))
        count, impulse = np.from_dlpack(d.contacts.count).copy(), np.from_dlpack(d.impulse).copy()
    assert (count == np.diff(host.contacts.splits)).all() and (count > 0).all()
    assert (impulse[:, 1] == host.impulse[:, 0]).all() and (b.digests() == host.digests()).all()
    assert (b.contacts.splits == host.contacts.splits).all()


@pytest.mark.parametrize("rows", [0, 2.5, "3", True, 2**40])
def test_the_room_of_contacts_is_a_whole_number(rows):
    b = library("rod").batch(2, contacts=True, device="emulated", threads=1)
    with pytest.raises(js.UsageError, match="contact_rows must be a whole number"):
        b.on_device(capturable=True, contact_rows=rows)


def test_cupy_is_asked_for_the_stream_of_the_device_of_an_array(monkeypatch):
    # CuPy has a current stream for each device; what it returns is that of the device that is current.
    class Device:
        current = 0

        def __enter__(self):
            Device.current = 1

        def __exit__(self, *error):
            Device.current = 0

    class Array:
        device = Device()
    Array.__module__ = "cupy"
    cupy = types.ModuleType("cupy")
    cupy.cuda = types.SimpleNamespace(get_current_stream=lambda: types.SimpleNamespace(ptr=100 + Device.current))
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    assert current_stream(Array()) == 101 and Device.current == 0
