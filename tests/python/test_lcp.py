import jostle as js
import numpy as np
import pytest


def problems(count, sizes=(1, 3, 8, 20)):
    random = np.random.default_rng(3)
    for i in range(count):
        n = sizes[i % len(sizes)]
        A = random.normal(size=(n, n))
        yield A @ A.T + 0.1 * np.eye(n), random.normal(size=n)


def check(M, q, r):
    assert r.status == "solved" and r.residual <= 1e-8
    np.testing.assert_allclose(r.w, M @ r.z + q, atol=1e-12 * (1 + abs(q).max()))
    assert (r.z >= 0).all() and abs(np.minimum(r.z, r.w)).max() <= r.residual * max(1, abs(q).max()) + 1e-15
    assert (r.z[~r.basis] == 0).all()


def test_one_problem():
    M, q = [[2, 1], [1, 2]], [-5, -6]
    r = js.solve_lcp(M, q)
    np.testing.assert_allclose(r.z, [4 / 3, 7 / 3], rtol=1e-15)
    assert r.basis.tolist() == [True, True] and r.pivots >= 2
    check(np.array(M), np.array(q), r)
    check(np.eye(2), np.array([1.0, -1]), js.solve_lcp(np.eye(2), np.array([1, -1])))


def test_a_list_of_mixed_sizes_and_a_stack_agree_with_one_at_a_time():
    mixed = list(problems(40))
    answers = js.solve_lcp([M for M, _ in mixed], [q for _, q in mixed])
    for (M, q), r in zip(mixed, answers):
        check(M, q, r)
        alone = js.solve_lcp(M, q)
        assert (alone.z == r.z).all() and alone.pivots == r.pivots and (alone.basis == r.basis).all()
    alike = list(problems(30, sizes=(6,)))
    M, q = np.array([M for M, _ in alike]), np.array([q for _, q in alike])
    for threads in (1, 2):
        r = js.solve_lcp(M, q, threads=threads)
        assert r.z.shape == r.w.shape == r.basis.shape == (30, 6) and r.pivots.shape == r.residual.shape == (30,)
        assert (r.status == "solved").all()
        assert (r.z == np.array([js.solve_lcp(M[i], q[i]).z for i in range(30)])).all()
    assert js.solve_lcp([], []) == []
    assert js.solve_lcp(np.empty((0, 4, 4)), np.empty((0, 4))).z.shape == (0, 4)


def test_problems_without_rows_are_solved():
    none, one = js.solve_lcp([np.zeros((0, 0)), [[2]]], [np.zeros(0), [-4]])
    assert none.status == "solved" and none.z.shape == (0,) and one.z.tolist() == [2]
    assert [r.status for r in js.solve_lcp([np.zeros((0, 0))], [np.zeros(0)])] == ["solved"]
    assert js.solve_lcp(np.zeros((2, 0, 0)), np.zeros((2, 0))).z.shape == (2, 0)


def test_a_ray_is_told_and_confirmed():
    M, q = np.array([[0.0, 1], [-1, 0]]), np.array([-1.0, -1])  # -z_1 - 1 >= 0 has no solution
    r = js.solve_lcp(M, q)
    assert r.status == "infeasible" and np.isnan(r.z).all() and not r.basis.any() and r.residual == np.inf
    assert r.ray.max() == 1 and (r.ray >= 0).all()
    assert ((M @ r.ray)[r.ray > 0] <= 1e-12).all() and q @ r.ray < 0
    assert (r.proof >= 0).all() and r.proof.max() == 1 and (M.T @ r.proof <= 1e-12).all() and q @ r.proof < 0
    assert js.solve_lcp([[np.nan]], [1.0]).status == "not_finite"
    assert js.solve_lcp([[np.nan]], [1.0]).ray is None and js.solve_lcp([[1.0]], [1.0]).ray is None


def test_what_lemke_does_not_solve_is_solved_or_proven_otherwise():
    r = js.solve_lcp([[0, 1], [1, 0]], [-1, -1])
    assert r.status == "solved" and r.z.tolist() == [1, 1] and r.ray is None and r.proof is None
    random = np.random.default_rng(1)
    M, q = random.normal(size=(300, 6, 6)), random.normal(size=(300, 6))
    plain, full = js.solve_lcp(M, q), js.solve_lcp(M, q, exhaustive=True)
    assert set(np.unique(full.status)) == {"solved", "infeasible", "exhausted"}
    assert (full.status[plain.status == "infeasible"] == "infeasible").all()
    solved = full.status == "solved"
    assert solved.sum() >= (plain.status == "solved").sum() and (full.residual[solved] <= 1e-8).all()
    u = full.proof[full.status == "infeasible"]
    assert (np.einsum("kij,ki->kj", M[full.status == "infeasible"], u) <= 1e-8).all()
    assert (np.einsum("ki,ki->k", q[full.status == "infeasible"], u) < 0).all()
    assert np.isnan(full.proof[solved]).all()


def test_a_basis_starts_and_one_matrix_serves_many_vectors():
    (M, q), = problems(1, sizes=(12,))
    first = js.solve_lcp(M, q)
    again = js.solve_lcp(M, q * 1.001, basis=first.basis)
    assert again.pivots == 0 and again.attempts == 0 and first.attempts == 1
    check(M, q * 1.001, again)
    path = q + np.linspace(0, 1, 50)[:, None] * np.ones(12)
    many = js.solve_lcp(M, path, basis=np.tile(first.basis, (50, 1)))
    cold = js.solve_lcp(np.tile(M, (50, 1, 1)), path)
    assert (many.status == "solved").all() and (many.basis == cold.basis).all()
    np.testing.assert_allclose(many.z, cold.z, atol=1e-13)
    assert many.pivots.sum() < cold.pivots.sum()
    mixed = js.solve_lcp([M, np.eye(2)], [q, [1, -1]], basis=[first.basis, None])
    assert [r.pivots > 0 for r in mixed] == [False, True]
    for wrong in (first.basis[:3], np.full(12, 0.5)):
        with pytest.raises(ValueError, match=r"basis needs truth values of the shape of q, \(12,\), not"):
            js.solve_lcp(M, q, basis=wrong)
    with pytest.raises(ValueError, match="there are 1 problems, but 2 bases"):
        js.solve_lcp([M], [q], basis=[None, None])


def test_sparse_matrices_are_refused_with_the_way_out():
    class Sparse:
        def todense(self):
            raise AssertionError("a large matrix")

    with pytest.raises(ValueError, match=r"M is a sparse matrix, and problems are dense here: give M.toarray\(\)"):
        js.solve_lcp(Sparse(), [1.0])


@pytest.mark.parametrize("M, q, message", [
    ([[1, 2, 3]], [1], r"M must be a square matrix \(n, n\), not of shape \(1, 3\)"),
    ([[1, 2], [3, 4]], [1], r"q must have the shape \(2,\), as M has 2 rows, not \(1,\)"),
    (np.zeros((3, 2, 2)), np.zeros((3, 3)), r"M of shape \(k, n, n\), or \(n, n\) for all, and q of shape \(k, n\)"),
    ([np.eye(2), np.eye(3)], [np.ones(2)], "there are 2 matrices, but 1 vectors"),
    ([np.eye(2), np.eye(3)], [np.ones(2), np.ones(2)], r"q\[1\] must have the shape \(3,\), as M\[1\]"),
    ("no", [1], "M must be an array of numbers"),
    (np.eye(2) + 1j, np.ones(2), "M must have real numbers, not complex128"),
    ([[2, 1], [1, 2]], [1j, 1], "q must have real numbers, not complex128"),
    ([np.eye(2), np.eye(1)], [np.ones(2), np.ones(1, np.complex64)], r"q\[1\] must have real numbers, not complex64"),
    (np.zeros((3, 2, 2), complex), np.zeros((3, 2)), "M must have real numbers, not complex128"),
])
def test_bad_arguments_are_named(M, q, message):
    with pytest.raises(ValueError, match=message):
        js.solve_lcp(M, q)


def test_masked_numbers_are_refused():
    for M, q in ((np.ma.masked_equal(np.eye(2), 0), [-1, -1]), (np.eye(2), np.ma.masked_less([-1, 1], 0))):
        with pytest.raises(js.UsageError, match="masked"):
            js.solve_lcp(M, q)
    assert js.solve_lcp(np.ma.array(np.eye(2)), [-1, -1]).status == "solved"
