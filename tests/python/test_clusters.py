"""Shares of a sweep in several processes, and processes after threads."""
import concurrent.futures
import multiprocessing
import pickle
import subprocess

import jostle as js
import numpy as np
import pytest
from conftest import LIBRARY, library

SAMPLES = 20000  # two shards


def short_rod():
    return library("rod", set={"world.duration": 0.01})


def files(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file() and p.parent.name != ".jobs"}


def test_a_scenario_can_be_pickled(rod):
    sc = js.load(LIBRARY / "rod.yaml", set={"world.step": 0.001}, seed=5)
    again = pickle.loads(pickle.dumps(sc))
    assert again.text == sc.text and again.seed == 5 and again.step == 0.001
    assert again.draw(3) == sc.draw(3)
    text = js.load(rod.text)
    assert pickle.loads(pickle.dumps(text)).text == rod.text


def test_shares_make_the_dataset_of_one_sweep(tmp_path, program):
    sc = short_rod()
    two = sc.run_shard(2, 2, tmp_path / "shares", SAMPLES)
    assert two[:5] == ("2/2", SAMPLES - 16384, 0, 0, False) and two.seconds > 0
    one = sc.run_shard(1, 2, tmp_path / "shares", SAMPLES)
    assert one.complete and one.simulated == 16384
    assert sc.run_shard(1, 2, tmp_path / "shares", SAMPLES).kept == 16384
    subprocess.run([program, "sweep", LIBRARY / "rod.yaml", "-n", str(SAMPLES), "--set", "world.duration=0.01",
                    "-o", tmp_path / "one"], check=True, capture_output=True)
    assert files(tmp_path / "shares") == files(tmp_path / "one")


def test_each_share_tells_of_its_own_invalid_samples(tmp_path):
    sc = js.load({"jostle": 1, "variables": {"m": {"uniform": [-0.05, 1]}}, "world": {"step": 0.01, "steps": 2},
                  "bodies": {"ball": {"mass": "$m", "inertia": 1}}, "sample": {"method": "random", "seed": 3}})
    first = [sc.run_shard(k, 3, tmp_path / "out", 40000) for k in (1, 2, 3)]
    again = [sc.run_shard(k, 3, tmp_path / "out", 40000) for k in (1, 2, 3)]
    status = sc.sweep(tmp_path / "out", 40000).columns()["status"]
    own = [int(np.count_nonzero(part)) for part in np.split(status, [16384, 2 * 16384])]
    assert [run.invalid for run in first] == [run.invalid for run in again] == own and min(own) > 0
    assert [run.complete for run in first] == [False, False, True] and all(run.complete for run in again)
    assert sc.run_shard(1, 1, tmp_path / "out", 40000).invalid == sum(own)
    assert sc.run_shard(4, 4, tmp_path / "out", 40000).invalid == 0, "four shares of three shards"


def test_a_share_of_a_table_is_of_all_its_rows(tmp_path):
    (tmp_path / "p.csv").write_text("m\n1\n2\n3\n")
    (tmp_path / "t.yaml").write_text("jostle: 1\nvariables: {m: {uniform: [1, 3]}}\nworld: {step: 0.01, steps: 2}\n"
                                     "bodies: {ball: {mass: $m, inertia: 1}}\nsample: {method: table, table: p.csv}\n")
    sc = js.load(tmp_path / "t.yaml")
    run = sc.run_shard(1, 1, tmp_path / "share")
    assert run.simulated == 3 and run.complete
    assert sc.sweep(tmp_path / "one").columns()["m"].tolist() == [1, 2, 3]
    assert len(sc.generate(tmp_path / "data")) == 3 and sc.sweep(tmp_path / "two", n=2).n == 2
    with pytest.raises(js.UsageError, match="only 3 samples"):
        sc.sweep(tmp_path / "four", n=4)


def test_wrong_shares_are_refused(tmp_path):
    for k, n in ((0, 2), (3, 2), (1, 0)):
        with pytest.raises(js.UsageError, match="^[kn] must be a whole number, "):
            short_rod().run_shard(k, n, tmp_path / "out", 10)
    with pytest.raises(js.FileError):
        short_rod().run_shard(1, 1, tmp_path / "out", 10, scratch=tmp_path / "absent")


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_work_after_threads_have_run(tmp_path, method):
    sc = short_rod()
    batch = sc.batch(n=64, threads=2)
    batch.step(4)
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        jobs = [pool.submit(sc.run_shard, k, 2, tmp_path / "shares", SAMPLES, threads=2) for k in (1, 2)]
        made = [job.result(timeout=300) for job in jobs]
    assert sum(job.simulated for job in made) == SAMPLES and any(job.complete for job in made)
    batch.step()  # the threads of this process are back
    assert (batch.status == 0).all()
    sc.sweep(tmp_path / "one", n=SAMPLES)
    assert files(tmp_path / "shares") == files(tmp_path / "one")


def stepped(batch, queue):
    batch.step(3)
    queue.put(batch.q.copy())


def test_a_batch_goes_on_in_a_forked_process():
    sc = short_rod()
    batch, same = sc.batch(n=64, threads=2), sc.batch(n=64, threads=2)
    batch.step()
    same.step(4)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=stepped, args=(batch, queue))
    child.start()
    q = queue.get(timeout=60)
    child.join(60)
    assert child.exitcode == 0 and np.array_equal(q, same.q)


def test_dask_makes_shares(tmp_path):
    distributed = pytest.importorskip("distributed", reason="dask's distributed is not installed")
    sc = short_rod()
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            made = client.gather(client.map(sc.run_shard, [1, 2], n=2, out=str(tmp_path / "shares"), samples=SAMPLES))
    assert sum(job.simulated for job in made) == SAMPLES
    sc.sweep(tmp_path / "one", n=SAMPLES)
    assert files(tmp_path / "shares") == files(tmp_path / "one")
