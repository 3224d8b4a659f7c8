import gc
import signal
import subprocess
import sys
import threading
import time

import jostle as js
import pytest
from conftest import LIBRARY, library


def test_a_view_keeps_a_dropped_batch_alive(rod):
    b = rod.batch(50)
    q, force = b.q, b.body("rod").force
    b.step(3)
    value = q.copy()
    del b
    gc.collect()
    force[:] = 1
    assert (q == value).all()
    del q, force
    gc.collect()
    for _ in range(20):
        rod.batch(10).step(1)


def test_threads_share_a_batch_one_after_the_other(rod):
    b, expected = rod.batch(64), rod.batch(64)
    threads = [threading.Thread(target=lambda: [b.step(1) for _ in range(25)]) for _ in range(4)]
    own = [threading.Thread(target=lambda: rod.batch(16).step(100)) for _ in range(2)]
    for t in threads + own:
        t.start()
    snapshot = b.save()
    b.body("rod").force
    for t in threads + own:
        t.join()
    expected.step(100)
    assert (b.steps == 100).all() and (b.digests() == expected.digests()).all()
    b.restore(snapshot)


def test_the_gil_is_released(rod):
    b = library("box_stack").batch(64, threads=1)
    ran, done = [], threading.Event()

    def work():
        b.step(200)
        done.set()
    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        ran.append(time.perf_counter())
        time.sleep(0.001)
    thread.join()
    assert len(ran) > 5


def test_ctrl_c_interrupts_a_long_step():
    code = f"""
import jostle as js, sys
b = js.load({str(LIBRARY / 'four_bar.yaml')!r}, set={{"world.duration": 1000}}).batch(2000)  # it never rests
print("go", flush=True)
try:
    b.step(100000)
except KeyboardInterrupt:
    assert 0 <= b.steps.min() and b.steps.max() > 0
    b.step(1, where=b.steps == b.steps.max())
    print("interrupted", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "go\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=120)
    assert rest == "interrupted\n" and process.returncode == 0


LONG_CALLS = {  # each takes six seconds or more
    "a batch that is made": f"js.load({str(LIBRARY / 'escapement.yaml')!r}).batch(150000, threads=1)",
    "a replay": f"js.load({str(LIBRARY / 'four_bar.yaml')!r}, set={{'world.duration': 30000}}).replay(0, stride=10**6)",
    "large LCPs": "js.solve_lcp([M] * 60, [q] * 60, threads=1)",
}


@pytest.mark.parametrize("call", LONG_CALLS.values(), ids=LONG_CALLS.keys())
def test_ctrl_c_interrupts(call):
    code = f"""
import jostle as js, numpy as np
a = np.random.default_rng(1).normal(size=(700, 700))
M, q = a @ a.T / 700 + np.eye(700), -np.abs(a[0])
print("go", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "go\n"
    time.sleep(0.5)
    begin = time.perf_counter()
    process.send_signal(signal.SIGINT)
    try:
        rest, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert rest == "interrupted\n" and process.returncode == 0
    assert time.perf_counter() - begin < 5  # to its end the call would take half a second more


UNENDING_CALLS = {
    "a step": "b.step(10**6)",
    "short steps": "b.step(1)",
    "a batch that is made": "sc.batch(200000)",
    "a sweep": "sc.sweep(folder, n=10**6)",
    "a sweep with progress": "sc.sweep(folder, n=10**6, progress=lambda *now: None)",
    "a replay": "sc.replay(0, stride=10**6)",
    "LCPs": "js.solve_lcp(M, q)",
}


@pytest.mark.parametrize("call", UNENDING_CALLS.values(), ids=UNENDING_CALLS.keys())
def test_python_exits_while_a_daemon_thread_is_in_jostle(call, tmp_path):
    code = f"""
import jostle as js, numpy as np, sys, threading, time
sc = js.load({str(LIBRARY / 'four_bar.yaml')!r}, set={{"world.duration": 30000}})
b, folder = sc.batch(50), {str(tmp_path)!r}
M, q = np.repeat((np.eye(60) + 0.1)[None], 200, 0), -np.ones((200, 60))
begun = threading.Event()
def work():
    begun.set()
    while True:
        {call}
threading.Thread(target=work, daemon=True).start()
begun.wait()
time.sleep(0.3)
"""
    done = subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == ""
