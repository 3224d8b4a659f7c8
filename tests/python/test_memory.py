"""What goes wrong in the middle leaves nothing behind: no crash, no memory. In the build with the address sanitizer
(`cmake --preset address`) it watches all tests of this folder, and these in particular."""
import gc
import threading

import jostle as js
import numpy as np
import pytest
from conftest import library


def resident_bytes():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def make_and_drop(tmp_path, i):
    sc = library("cube_toss")
    b = sc.batch(64, contacts=True)
    q, force = b.q, b.body("cube").force
    b.body("cube").mass = 0.5
    force[:] = 0.1
    snapshot = b.save()
    b.step(5)
    b.contacts.impulse_n.sum()
    b.restore(snapshot)
    b.reset(ids=[3])
    d = sc.batch(16, device="emulated")
    with d.on_device() as on:
        array = np.from_dlpack(on["velocity"])
        on.step(2)
    for wrong in (lambda: b.step(1, where=np.ones(3, bool)), lambda: b.body("cub"), lambda: sc.batch(0),
                  lambda: js.load("jostle: 1\nbodies: {"), lambda: b.restore(sc.batch(2).save())):
        with pytest.raises((ValueError, KeyError)):
            wrong()
    js.solve_lcp(np.tile(np.eye(4), (50, 1, 1)), -np.ones((50, 4)))

    def stop(done, total, seconds):
        raise RuntimeError("enough")
    with pytest.raises(RuntimeError, match="enough"):
        library("rod").sweep(tmp_path / str(i), n=100, progress=stop)
    return q.sum() + array.sum()


def test_nothing_is_left_behind(tmp_path):
    for i in range(15):
        make_and_drop(tmp_path, i)
    before = resident_bytes()
    for i in range(15, 75):
        make_and_drop(tmp_path, i)
    assert resident_bytes() - before < 8e6, "a batch of the loop and its snapshot have 1.3 MB, so one that stays in each round would be 80 MB"


def test_a_batch_is_dropped_while_another_thread_steps_it():
    b = library("box_stack").batch(100)
    q = b.q
    begun = threading.Event()

    def work(batch):
        begun.set()
        batch.step(60)
    threads = [threading.Thread(target=work, args=(b,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    begun.wait()
    del b                       # the threads and the view keep it
    gc.collect()
    q[:, 0, 0] += 0.0           # is read by the steps that are being taken
    for thread in threads:
        thread.join()
    assert np.isfinite(q).all()


def test_two_threads_use_two_batches_and_one_scenario():
    sc = library("rod")
    expected = sc.batch(40)
    expected.step(150)
    digests = [None] * 4

    def work(i):
        b = sc.batch(40, threads=1 + i % 2)
        for _ in range(15):
            b.step(10)
            b.failures()
        digests[i] = b.digests()
    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((own == expected.digests()).all() for own in digests)


def test_a_batch_that_does_not_fit_is_refused_before_it_takes_memory():
    sc, before = library("rod"), resident_bytes()
    with pytest.raises(MemoryError, match=r"2,000,000,000 systems of this scenario need about .*, but there are only "):
        sc.batch(2 * 10**9)
    with pytest.raises(js.UsageError, match="a batch has at most 2,147,483,647 systems, not 2,147,483,648"):
        sc.batch(2**31)
    assert resident_bytes() - before < 50e6
