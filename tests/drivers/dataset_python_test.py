"""A user's Python opens what a sweep wrote: h5py, and xarray with every engine that is installed.

Called with the path of fake_sweep; exit status 77 says that it was skipped.
"""
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import h5py
except ImportError:
    print("skipped: no h5py")
    sys.exit(77)


def sweep(out, n, record):
    subprocess.run([sys.argv[1], out, str(n), "--record", record], check=True, stdout=subprocess.DEVNULL)


def engines():
    """The engines of xarray that can read HDF5."""
    try:
        import xarray
    except ImportError:
        return []
    return [name for name in ("h5netcdf", "netcdf4") if name in xarray.backends.list_engines()]


def check_h5py(path, n, recorded):
    with h5py.File(path) as file:
        summary, trajectory = file["summary"], file["trajectory"]
        assert summary["sample"].shape == (n,)
        assert [int(i) for i in summary["sample"][:3]] == [0, 1, 2]
        assert summary["rest_x"][n - 1] == (n - 1) / 8
        assert n <= 50 or summary["status"][50] == 1 and math.isnan(summary["lies"][50])
        assert summary["status"].dims[0].keys() == ["sample"]
        assert list(summary["status"].attrs["flag_values"]) == list(range(12)) + [255]
        assert summary["status"].attrs["flag_meanings"].split()[-1] == "not_run"
        assert summary["end_time"].attrs["units"] == "s"
        assert file.attrs["format"] == 2 and file.attrs["quaternion_order"] == "wxyz"
        assert trajectory["q"].shape == (recorded, 3, 2, 7) and trajectory["v"].shape == (recorded, 3, 2, 6)
        assert list(trajectory["q"].attrs["bodies"]) == ["table", "rod"]
        for row in {0, recorded - 1} if recorded else ():
            assert trajectory["q"][row, 0, 0, 0] == trajectory["sample"][row]
            end = trajectory["valid_steps"][row]
            assert not math.isnan(trajectory["q"][row, end, 1, 6])
            assert end == 2 or math.isnan(trajectory["q"][row, end + 1, 0, 0])


def check_xarray(path, engine, n, recorded):
    import xarray
    with xarray.open_dataset(path, group="summary", engine=engine) as summary:
        assert summary.sizes == {"sample": n}
        assert summary.rest_x.sel(sample=n - 1) == (n - 1) / 8
        assert n <= 50 or bool(summary.lies.isnull()[50])
        assert summary.end_time.dtype == float, "seconds are numbers, no time deltas"
    with xarray.open_dataset(path, group="trajectory", engine=engine) as trajectory:
        assert trajectory.q.dims == ("sample", "time", "body", "pose")
        assert trajectory.v.dims == ("sample", "time", "body", "twist")
        assert trajectory.sizes["sample"] == recorded
        assert list(trajectory.time.values) == [0, 0.25, 0.5]
        if recorded:
            first = trajectory.isel(sample=0)
            assert float(first.q.sel(time=0, body="table", pose="x")) == float(first.sample)


with tempfile.TemporaryDirectory() as scratch:
    for n, record, recorded in ((40000, "failures", 400), (40000, "first", 20000), (10, "failures", 0)):
        out, moved = pathlib.Path(scratch, "out"), pathlib.Path(scratch, "moved")
        sweep(out, n, record)
        out.rename(moved)  # the view's sources are relative to it
        check_h5py(moved / "run.h5", n, recorded)
        for engine in engines():
            check_xarray(moved / "run.h5", engine, n, recorded)
        # A shard is a dataset of its own; the last one of three has no trajectories of the first 20,000.
        for shard in sorted((moved / "shards").iterdir()):
            for engine in engines():
                import xarray
                with xarray.open_dataset(shard, group="trajectory", engine=engine) as trajectory:
                    assert set(trajectory.q.dims) == {"sample", "time", "body", "pose"}
        moved.rename(out)
        sweep(out, min(n, 52), record)  # fewer samples: the view shows the first of the same shards
        check_h5py(out / "run.h5", min(n, 52), 52 if record == "first" else int(n > 50))
        shutil.rmtree(out)
    print("checked with h5py and xarray engines:", ", ".join(engines()) or "none")
