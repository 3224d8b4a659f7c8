"""A user's Python opens training data: h5py, and xarray with every engine that is installed.

Called with the program and the folder of the library, or with a folder of training data that is there; exit status 77
says that it was skipped.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError:
    print("skipped: no h5py")
    sys.exit(77)


def check_h5py(path, meta):
    with h5py.File(path) as file:
        samples, times = file["trajectory/q"].shape[:2]
        assert file["trajectory/q"].dtype == np.dtype(meta["dtype"])
        splits = file["contact/splits"][:]
        assert splits.shape == (samples, times + 1) and splits[0, 0] == 0
        assert (np.diff(splits.ravel()) >= 0).all() and (splits[1:, 0] == splits[:-1, -1]).all()
        rows = int(splits[-1, -1])
        contact = {name: file["contact"][name][:] for name in meta["groups"]["contact"] if name != "splits"}
        assert rows > 0 and all(len(values) == rows for values in contact.values())
        for group, fields in meta["groups"].items():
            for name, field in fields.items():
                assert file[group][name].attrs.get("units", "") == field["unit"] or group == "trajectory", name
        assert list(file["contact/pair"].attrs["pairs"]) == meta["pairs"]
        # The impulses of a step are those of its rows, on the one body that is not fixed: the table is the second one of all pairs.
        n, t = contact["normal"], contact["tangent"]
        impulse = (contact["impulse_n"][:, None] * n + contact["impulse_t"][:, :1] * t
                   + contact["impulse_t"][:, 1:] * np.cross(n, t))
        sums = np.array([impulse[a:b].sum(axis=0) for a, b in zip(splits[:, :-1].ravel(), splits[:, 1:].ravel())])
        told = -file["step/impulse"][:, :, 0, :3].reshape(-1, 3)
        valid = ~np.isnan(told[:, 0])
        assert valid.any() and np.abs(sums - told)[valid].max() < 1e-5
        assert ((contact["mode"] & 3 == 0) == (contact["impulse_n"] == 0)).all()
        chunk = file["contact/point"].chunks
        assert chunk is None or np.prod(chunk) * 4 <= 2**20


def check_lcps(path, meta):
    """The problems of all samples, and their answers; `basis` and `kind` are described in the file."""
    with h5py.File(path) as file:
        lcp, (samples, times) = file["lcp"], (meta["samples"], meta["lcp_times"])
        splits, numbers = lcp["splits"][:], lcp["M_splits"][:]
        assert splits.shape == numbers.shape == (samples, times + 1) and len(lcp["time"]) == times
        assert splits[-1, -1] == len(lcp["q"]) and numbers[-1, -1] == len(lcp["M"])
        assert str(lcp["kind"].attrs["flag_meanings"]).split()[:3] == ["friction", "normal", "slip_speed"]
        size, z, q, M = (lcp[name][:] for name in ("size", "z", "q", "M"))
        row = number = 0
        while row < len(size):
            n = size[row]
            w = M[number:number + n * n].reshape(n, n) @ z[row:row + n] + q[row:row + n]
            assert np.abs(np.minimum(w, z[row:row + n])).max() < 1e-4  # f4
            row, number = row + n, number + n * n
        assert row > 0 and number == len(M)
        model = json.loads(file.attrs["model"])
        assert [pair["name"] for pair in model["pairs"]] == list(lcp["pair"].attrs["pairs"])
        assert max(lcp["feature"][:]) < len(model["features"][model["pairs"][0]["features"]])
        assert [body["name"] for body in model["bodies"] if body["kind"] != "fixed"] == meta["bodies"] and meta["model"] == model


def check_xarray(path, engine, meta):
    import xarray
    with xarray.open_dataset(path, group="lcp", engine=engine) as lcp:
        assert lcp.direction.dims == ("row", "axis") and lcp.M.dims == ("number",)
        assert lcp.time.attrs["units"] == "s" or lcp.time.dtype.kind == "m"
    with xarray.open_dataset(path, group="step", engine=engine) as step:
        assert step.impulse.dims == ("sample", "time", "body", "wrench")
        assert list(step.body.values) == meta["bodies"] and step.sizes["time"] == meta["times"]
    with xarray.open_dataset(path, group="contact", engine=engine) as contact:
        assert contact.normal.dims == ("row", "axis") and contact.slip.dims == ("row", "along")
        assert contact.splits.sizes == {"sample": meta["samples"], "edge": meta["times"] + 1}
    with xarray.open_dataset(path, group="param", engine=engine) as param:
        assert param.mass.dims == ("all_samples", "body") and float(param.mass.sel(body="cube")[0]) > 0


def engines():
    """The engines of xarray that can read HDF5."""
    try:
        import xarray
    except ImportError:
        return []
    return [name for name in ("h5netcdf", "netcdf4") if name in xarray.backends.list_engines()]


def check(folder):
    meta = json.loads((folder / "meta.json").read_text())
    assert meta["split"]["training"] + meta["split"]["test"] == meta["samples"]
    check_h5py(folder / "run.h5", meta)
    check_lcps(folder / "run.h5", meta)
    for engine in engines():
        check_xarray(folder / "run.h5", engine, meta)
    print("opened with h5py", *engines())


if len(sys.argv) == 2:
    check(pathlib.Path(sys.argv[1]))
    sys.exit()
with tempfile.TemporaryDirectory() as scratch:
    out = pathlib.Path(scratch, "cubes")
    for n in ("20", "30"):  # the second extends the first
        subprocess.run([sys.argv[1], "generate", pathlib.Path(sys.argv[2], "cube_toss.yaml"), "-n", n, "-o", out,
                        "--set", "record.quantities=[cube.position.z]", "--set", "record.lcp.every=10"], check=True, capture_output=True)
        check(out)
    whole = pathlib.Path(scratch, "whole")
    subprocess.run([sys.argv[1], "generate", pathlib.Path(sys.argv[2], "cube_toss.yaml"), "-n", "30", "-o", whole,
                    "--threads", "1", "--set", "record.quantities=[cube.position.z]", "--set", "record.lcp.every=10"], check=True, capture_output=True)
    for name in ("run.h5", "meta.json", "shards/shard-00000.h5"):
        assert (whole / name).read_bytes() == (out / name).read_bytes(), name
