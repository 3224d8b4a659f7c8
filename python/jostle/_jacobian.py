"""Derivatives by central differences, and whether they are derivatives at all."""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from ._errors import ScenarioError, UsageError
from ._names import suggestion, whole
from ._scenario import Scenario


class Jacobian(NamedTuple):
    """What `jacobian` returns, for m results and p variables.

    Fields:
        value: (m,) the results at `at`.
        jacobian: (m, p) derivatives of the results by the variables.
        same_modes: (p,) bool: whether the contacts and their modes were those at `at` in every step on both sides.
            Where they were not, a contact came, went, or changed between sticking and sliding, and the column is no
            derivative.
        at: the values of the variables.
    """

    value: np.ndarray
    jacobian: np.ndarray
    same_modes: np.ndarray
    at: Dict[str, float]


def jacobian(scenario: Scenario, of: Sequence[str], wrt: Sequence[str], *, at: Optional[Mapping[str, float]] = None,
             sample: int = 0, steps: Optional[int] = None, delta: Union[float, Mapping[str, float]] = 1e-6,
             threads: int = 0) -> Jacobian:
    """Derivatives of results by variables of a scenario, by central differences of whole motions.

    Args:
        of: names of outcomes, or expressions such as "cube.position.x" and "gap(a, b)" at the end.
        wrt: names of variables, each once.
        at: values of variables; the others are those of the sample.
        sample: number of the sample.
        steps: where the motion ends; left out: with the scenario.
        delta: half of the difference of each variable, in its unit, or one for each by name. Their relative error is about
            1e-16 / delta from rounding and delta^2 from curvature.
        threads: at most 1,024; 0 for one per processor.

    Raises:
        UsageError: a name is unknown, a motion has failed, a result has no value, such as an `at_end` outcome before the
            last step, or `delta` is lost in the rounding of a variable.
    """
    of, wrt = _names(of, "of"), _names(wrt, "wrt")
    for name in wrt:
        if name not in scenario.variables:
            raise UsageError(f"there is no variable '{name}'" + suggestion(name, scenario.variables))
        if wrt.count(name) > 1:
            raise UsageError(f"wrt has '{name}' more than once")
    if at is not None and not isinstance(at, Mapping):
        raise UsageError(f"at is a dict of the values of variables, such as {{'mu': 0.4}}, not {at!r}")
    for argument, given in (("at", at), ("delta", delta)):
        for name in given if isinstance(given, Mapping) else ():
            if name not in scenario.variables:
                raise UsageError(f"{argument}: there is no variable '{name}'" + suggestion(name, scenario.variables))
    expressions = [name for name in dict.fromkeys(of) if name not in scenario.outcomes]
    sample = whole("sample", sample, 0)
    values = {**scenario.draw(sample), **{name: _number(f"at['{name}']", value) for name, value in (at or {}).items()}}
    if isinstance(delta, Mapping) and not delta.keys() >= {*wrt}:
        raise UsageError(f"delta has no '{next(name for name in wrt if name not in delta)}'")
    half = np.array([_number("delta", delta[name] if isinstance(delta, Mapping) else delta) for name in wrt])
    for name, width in zip(wrt, half):
        if not 0 <= width < np.inf:
            raise UsageError(f"delta of '{name}' must be finite and greater than 0, not {width:g}")
    try:
        batch = scenario.batch(ids=[sample] * (1 + 2 * len(wrt)), quantities=expressions, modes=True, threads=threads)
    except ScenarioError as error:
        text = str(error)
        for k, name in enumerate(expressions):
            if text.startswith(f"quantities[{k}]:"):
                raise UsageError(f"of[{of.index(name)}]:" + text.partition(":")[2]) from None
        raise
    for name in dict.fromkeys([*(at or {}), *wrt]):
        column = np.full(len(batch), values[name])
        if name in wrt:
            k = wrt.index(name)
            column[1 + 2 * k] += half[k]
            column[2 + 2 * k] -= half[k]
        batch[name] = column
    batch.step(scenario.steps if steps is None else steps)
    failed = batch.failures()
    if failed:
        raise UsageError(f"a motion has failed in step {failed[0].step}: {failed[0].status} {failed[0].reason}".rstrip())
    found = np.stack([batch.quantity(name) if name in expressions else batch.outcome(name) for name in of])
    for name, results in zip(of, found):
        if np.isnan(results).any():
            raise UsageError(f"'{name}' has no value after {batch.steps.max()} of {scenario.steps} steps")
    digest = batch.modes_digest
    widths = np.array([batch[name][1 + 2 * k] - batch[name][2 + 2 * k] for k, name in enumerate(wrt)])
    for name, width in zip(wrt, widths):
        if width == 0:
            raise UsageError(f"delta of '{name}' changes nothing: take a greater one")
    return Jacobian(found[:, 0], (found[:, 1::2] - found[:, 2::2]) / widths, (digest[1::2] == digest[0]) & (digest[2::2] == digest[0]),
                    {name: float(values[name]) for name in wrt})


def _number(what: str, value: Any) -> float:
    try:
        if not isinstance(value, (str, bytes)):
            return float(value)
    except (TypeError, ValueError):
        pass
    raise UsageError(f"{what} must be a number, not {value!r}")


def _names(names: Any, argument: str) -> List[str]:
    try:
        texts = [] if isinstance(names, str) else list(names)
    except TypeError:  # not even a row
        texts = []
    if not texts or not all(isinstance(text, str) for text in texts):
        raise UsageError(f"{argument} is a list of names, such as [\"rest_x\"], not {names!r}")
    return [str(text) for text in texts]
