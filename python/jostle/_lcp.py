"""Your own linear complementarity problems."""
from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Sequence, Tuple, Union, overload

import numpy as np

from . import _core
from ._device import current_stream, handle_of, in_stream, is_on_gpu, library_of
from ._errors import UsageError
from ._names import thread_count, truth


class LcpSolution(NamedTuple):
    """What `solve_lcp` found. n is the size of a problem, k their number.

    For one problem the fields are as below; for a stack each has a first axis of length k; for a list of problems of mixed
    sizes `solve_lcp` returns a list of solutions.

    Fields:
        z: [n] the solution; NaN unless the status is "solved".
        w: [n] M z + q; NaN unless the status is "solved".
        basis: [n] bool: whether z_i is basic; all False unless the status is "solved".
        residual: max|min(z, w)| / max(1, max|q|), computed afterwards from M and q; infinity unless solved.
        status: "solved"; "infeasible": proven, no z >= 0 has M z + q >= 0; "ray": Lemke's method and what was tried
            after it found none, and there may be one; "exhausted": no regular basis solves it, all were tried;
            "pivot_limit", "uncertified" or "not_finite".
        pivots: number of pivots in all attempts.
        ray: [n] if Lemke's method ended on a ray that the data confirm (status "ray", "infeasible" or "exhausted"): u >= 0
            with largest entry 1, and (M u)_i <= 0 wherever u_i > 0. Else None, and in a stack NaN. For a copositive-plus M
            (contact problems) it proves that there is no solution; for other matrices it does not.
        proof: [n] for the status "infeasible": u >= 0 with largest entry 1, M'u <= 0 and q'u < 0 (Farkas), as the
            data confirm. Else None, and in a stack NaN.
        attempts: number of attempts of Lemke's method, with other covering vectors and from other bases; 0 if `basis` was
            the answer.
    """

    z: np.ndarray
    w: np.ndarray
    basis: np.ndarray
    residual: Any
    status: Any
    pivots: Any
    ray: Optional[np.ndarray]
    proof: Optional[np.ndarray]
    attempts: Any


@overload
def solve_lcp(M: Sequence[np.ndarray], q: Sequence[np.ndarray], *, basis: Any = None, exhaustive: bool = False,
              threads: int = 0, stream: Any = None) -> List[LcpSolution]: ...
@overload
def solve_lcp(M: Any, q: Any, *, basis: Any = None, exhaustive: bool = False, threads: int = 0,
              stream: Any = None) -> LcpSolution: ...
def solve_lcp(M: Any, q: Any, *, basis: Any = None, exhaustive: bool = False, threads: int = 0,
              stream: Any = None) -> Union[LcpSolution, List[LcpSolution]]:
    """Solves w = M z + q with z >= 0, w >= 0, z'w = 0 by lexicographic Lemke pivoting: on all cores, or on the GPU in whose
    memory the problems are.

    Args:
        M: one matrix (n, n), a stack (k, n, n), or a list of matrices of mixed sizes. Any units. On a GPU: a stack, or one
            matrix for (k, n), float64 and contiguous, of torch, CuPy, JAX or any library that supports DLPack.
        q: (n,), (k, n), or a list of vectors. With one matrix, (k, n) are k problems of that matrix.
        basis: a guess, of the shape of q: whether z_i is basic, such as `basis` of the last answer on a path of problems.
            If it is right, the answer needs no pivot; else it changes nothing.
        exhaustive: for problems with at most 12 rows, every basis is tried as the last resort (4,096 of them).
        threads: at most 1,024; 0 for one per processor. The bits of the solutions do not depend on it.
        stream: of problems on a GPU, the stream of CUDA's in which they are solved: of torch or CuPy, or its handle. Left
            out: the one in which torch or CuPy works now, else the default stream. It must outlive the answers, whose memory
            goes back there.

    Returns:
        An `LcpSolution`; for a stack its fields have a first axis of length k (status: an array of strings); for a list
        a list of them. Every "solved" has a residual of at most 1e-8, recomputed from M and q. Nothing is raised for a
        problem without an answer: look at `status`. Lemke's method finds a solution of every problem with a copositive-plus
        M that has one, as contact problems are, and of every problem with a P-matrix. Where it ends on a ray for another M,
        a proof that there is none is looked for, and, without one, solutions on other ways (docs/lcp.md).

        On a GPU the call returns at once; what you then do in the same stream, or with arrays of the same library, finds the
        answers. They have the same bits, as arrays of your library in the memory of the GPU: z, w and ray have zeros where
        there are none, `basis` is uint8, and `status` is a place in `jostle.LCP_STATUSES` (0: "solved"). Only Lemke's method
        is tried: `proof` is None, and neither `basis` nor `exhaustive` can be given.

    >>> solve_lcp([[2, 1], [1, 2]], [-5, -6]).z
    array([1.33333333, 2.33333333])
    """
    threads, exhaustive = thread_count(threads), truth("exhaustive", exhaustive)
    if is_on_gpu(M) or is_on_gpu(q):
        if basis is not None or exhaustive:
            raise UsageError("on a GPU neither a guess of the basis nor exhaustive=True can be given: copy M and q to the host")
        return _solve_on_gpu(M, q, stream)
    if stream is not None:
        raise UsageError("a stream is for problems in the memory of a GPU, and these are in the host's")
    if isinstance(M, (list, tuple)) and isinstance(q, (list, tuple)) and _is_list_of_arrays(M):
        if len(M) != len(q):
            raise ValueError(f"there are {len(M)} matrices, but {len(q)} vectors; give one q for each M")
        if basis is not None and len(basis) != len(q):
            raise ValueError(f"there are {len(q)} problems, but {len(basis)} bases; give one for each, or None")
        bases = [None] * len(q) if basis is None else basis
        problems = [_problem(m, v, b, f"M[{i}]", f"q[{i}]", f"basis[{i}]") for i, (m, v, b) in enumerate(zip(M, q, bases))]
        return [_solution(*one) for one in _core.solve_lcps(problems, threads, exhaustive)]
    matrix, vector = _numbers(M, "M"), _numbers(q, "q")
    if matrix.ndim == 2 and vector.ndim == 2:
        matrix = matrix[None]
    if matrix.ndim == 3:
        return _solve_stack(matrix, vector, basis, threads, exhaustive)
    return _solution(*_core.solve_lcps([_problem(matrix, vector, basis, "M", "q", "basis")], threads, exhaustive)[0])


def _solve_stack(M: np.ndarray, q: np.ndarray, basis: Any, threads: int, exhaustive: bool) -> LcpSolution:
    n = M.shape[1]
    if M.shape[2] != n or q.ndim != 2 or q.shape[1] != n or M.shape[0] not in (1, q.shape[0]):
        raise ValueError("a stack of problems needs M of shape (k, n, n), or (n, n) for all, and q of shape (k, n), "
                         f"not {M.shape} and {q.shape}")
    z, w, found, residual, status, *rest = _core.solve_stack(M, q, _basis(basis, q.shape, "basis"), threads, exhaustive)
    return LcpSolution(z, w, found.astype(bool), residual, _STATUSES[status], *rest)


_IS_EMULATED = False  # tests: the memory of the GPU is the host's


class _Answer:
    """An array of answers, by DLPack, in order with the stream of whoever takes it."""

    def __init__(self, array: Any, answers: _core.DeviceAnswers):
        self._array, self._answers = array, answers

    def __dlpack_device__(self) -> Tuple[int, int]:
        kind, index = self._array.__dlpack_device__()
        return kind, index

    def __dlpack__(self, *, stream: Any = None, copy: Optional[bool] = None, **others: Any) -> Any:
        if copy:
            raise BufferError("answers on a GPU are not copied: take them, and copy what you get")
        if stream != -1:  # -1: it takes care of that itself
            self._answers.precede(handle_of(1 if stream is None else stream))
        return self._array.__dlpack__(**others)  # which refuses another device


def _solve_on_gpu(M: Any, q: Any, stream: Any) -> LcpSolution:
    for name, other, array in (("M", "q", M), ("q", "M", q)):
        if not is_on_gpu(array):
            raise UsageError(f"{name} is in the memory of the host, but {other} in that of a GPU: put both there")
    handle = current_stream(M) if stream is None else handle_of(stream)
    answers = _core.solve_lcps_on_device(in_stream(M, handle), in_stream(q, handle), handle, _IS_EMULATED)
    library = library_of(M)
    arrays: List[Any] = [_Answer(array, answers) for array in answers.arrays()]
    if library is not None:
        arrays = [library.from_dlpack(array) for array in arrays]
    z, w, basis, residual, status, pivots, ray, attempts = arrays
    return LcpSolution(z, w, basis, residual, status, pivots, ray, None, attempts)


LCP_STATUSES = tuple(_core.lcp_statuses())
_STATUSES = np.array(LCP_STATUSES)


def _solution(z: np.ndarray, w: np.ndarray, basis: np.ndarray, residual: float, status: str, pivots: int, ray: np.ndarray,
              proof: np.ndarray, attempts: int) -> LcpSolution:
    def known(values: np.ndarray) -> Optional[np.ndarray]:
        return None if np.isnan(values).any() or status == "solved" else values
    return LcpSolution(z, w, basis.astype(bool), residual, status, pivots, known(ray), known(proof), attempts)


def _is_list_of_arrays(M: Sequence[Any]) -> bool:
    return len(M) == 0 or np.ndim(M[0]) == 2


def _numbers(value: Any, name: str) -> np.ndarray:
    if hasattr(value, "todense"):
        raise ValueError(f"{name} is a sparse matrix, and problems are dense here: give {name}.toarray()")
    if np.ma.is_masked(value):
        raise UsageError(f"{name} has numbers that are masked")
    try:
        numbers = np.asarray(value)
        if numbers.dtype.kind != "c":
            return np.ascontiguousarray(numbers, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be an array of numbers ({error}); for problems of mixed sizes give a list of "
                         "matrices and a list of vectors") from None
    raise UsageError(f"{name} must have real numbers, not {numbers.dtype}")


def _basis(basis: Any, shape: Tuple[int, ...], name: str) -> Optional[np.ndarray]:
    if basis is None:
        return None
    values = np.ascontiguousarray(basis)
    if values.shape != shape or values.dtype.kind not in "biu":
        raise ValueError(f"{name} needs truth values of the shape of q, {shape}, not {values.dtype} of shape {values.shape}")
    return np.ascontiguousarray(values != 0).astype(np.uint8)


def _problem(M: Any, q: Any, basis: Any, matrix_name: str, vector_name: str,
             basis_name: str) -> Tuple[np.ndarray, np.ndarray, Optional[np.ndarray]]:
    M, q = _numbers(M, matrix_name), _numbers(q, vector_name)
    if M.ndim != 2 or M.shape[0] != M.shape[1]:
        raise ValueError(f"{matrix_name} must be a square matrix (n, n), not of shape {M.shape}")
    if q.shape != (M.shape[0],):
        raise ValueError(f"{vector_name} must have the shape ({M.shape[0]},), as {matrix_name} has {M.shape[0]} rows, not {q.shape}")
    return M, q, _basis(basis, q.shape, basis_name)
