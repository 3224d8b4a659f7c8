"""LCPs in the memory of a GPU: the mock, whose memory is the host's."""
import jostle as js
import numpy as np
import pytest
from foreign_arrays import CUDA, Tensor


@pytest.fixture(autouse=True)
def emulated(monkeypatch):
    monkeypatch.setattr("jostle._lcp._IS_EMULATED", True)


class OfALibrary(Tensor):
    """A foreign array whose library is numpy."""

    def __array_namespace__(self):
        return np


def problems(k, n):
    random = np.random.default_rng(5)
    A = random.normal(size=(k, n, n))
    return A @ A.transpose(0, 2, 1) + 0.1 * np.eye(n), random.normal(size=(k, n))


def tensors(M, q, kind=Tensor, **more):
    return kind(M, CUDA, **more), kind(q, CUDA, **more)


@pytest.mark.parametrize("n", [1, 3, 12, 20])
def test_answers_have_the_bits_of_the_processor(n):
    M, q = problems(50, n)
    expected = js.solve_lcp(M, q)
    r = js.solve_lcp(*tensors(M, q))
    for name in ("z", "w", "residual", "pivots", "attempts"):
        assert (np.from_dlpack(getattr(r, name)) == getattr(expected, name)).all(), name
    assert (np.from_dlpack(r.basis) == expected.basis).all() and (np.from_dlpack(r.status) == 0).all()
    assert r.proof is None and js.LCP_STATUSES[0] == "solved"


def test_one_matrix_serves_all_vectors():
    M, q = problems(40, 6)
    expected = js.solve_lcp(M[0], q)
    r = js.solve_lcp(*tensors(M[0], q))
    assert (np.from_dlpack(r.z) == expected.z).all() and (np.from_dlpack(r.pivots) == expected.pivots).all()


def test_a_problem_without_an_answer_says_so_among_others():
    M, q = np.array([[[2.0]], [[-1.0]], [[1.0]]]), np.array([[-4.0], [-1.0], [np.nan]])
    r = js.solve_lcp(*tensors(M, q))
    status = [js.LCP_STATUSES[i] for i in np.from_dlpack(r.status)]
    assert status == ["solved", "ray", "not_finite"]
    assert np.from_dlpack(r.z).tolist() == [[2], [0], [0]] and np.from_dlpack(r.ray).tolist() == [[0], [1], [0]]
    assert np.isinf(np.from_dlpack(r.residual)).tolist() == [False, True, True]


def test_answers_are_arrays_of_the_callers_library_in_its_streams():
    M, q = tensors(*problems(4, 3), OfALibrary)
    r = js.solve_lcp(M, q)
    assert isinstance(r.z, np.ndarray) and r.z.shape == (4, 3) and r.status.dtype == np.uint8
    assert M.streams == q.streams == [1]
    js.solve_lcp(M, q, stream=77)
    assert M.streams == q.streams == [1, 77]


def test_answers_outlive_the_call_and_are_written_when_they_are_taken():
    M, q = problems(10, 4)
    expected = js.solve_lcp(M, q).z
    z = js.solve_lcp(*tensors(M, q)).z  # nobody keeps the others
    assert (np.from_dlpack(z) == expected).all()
    taken = np.from_dlpack(z)
    del z
    assert (taken == expected).all()


def test_nothing_is_solved_of_nothing():
    r = js.solve_lcp(*tensors(np.empty((0, 3, 3)), np.empty((0, 3))))
    assert np.from_dlpack(r.z).shape == (0, 3) and np.from_dlpack(r.status).shape == (0,)


@pytest.mark.parametrize("change, message", [
    (lambda M, q: (Tensor(M, CUDA), q), "q is in the memory of the host, but M in that of a GPU"),
    (lambda M, q: (M, Tensor(q, CUDA)), "M is in the memory of the host, but q in that of a GPU"),
    (lambda M, q: (Tensor(M, CUDA), Tensor(q, CUDA, index=1)), "M is on GPU 0, q on GPU 1"),
    (lambda M, q: tensors(M.astype(np.float32), q), "M must have numbers of the type float64"),
    (lambda M, q: (Tensor(M, CUDA, strides=(1, 2, 4)), Tensor(q, CUDA)), "M must be contiguous"),
    (lambda M, q: tensors(M, q[0]), r"not \(2, 2, 2\) and \(2\)"),
    (lambda M, q: tensors(M[:1], q), r"not \(1, 2, 2\) and \(2, 2\)"),
    (lambda M, q: tensors(M[:, :1], q), r"not \(2, 1, 2\) and \(2, 2\)"),
])
def test_problems_that_do_not_fit_are_refused(change, message):
    with pytest.raises(js.UsageError, match=message):
        js.solve_lcp(*change(np.array([np.eye(2), np.eye(2)]), -np.ones((2, 2))))


def test_options_of_the_other_memory_are_refused():
    M, q = problems(2, 2)
    with pytest.raises(js.UsageError, match="neither a guess of the basis nor exhaustive"):
        js.solve_lcp(*tensors(M, q), exhaustive=True)
    with pytest.raises(js.UsageError, match="a stream is for problems in the memory of a GPU"):
        js.solve_lcp(M, q, stream=1)


def test_without_cuda_a_gpu_is_absent(monkeypatch):
    monkeypatch.setattr("jostle._lcp._IS_EMULATED", False)
    with pytest.raises(js.DeviceError):
        js.solve_lcp(*tensors(*problems(2, 2)))


def test_answers_are_no_copies_and_say_so():
    z = js.solve_lcp(*tensors(np.eye(2), -np.ones((3, 2)))).z
    with pytest.raises(BufferError, match="copy"):
        z.__dlpack__(copy=True)
    assert (np.from_dlpack(z) == 1).all()
