"""Conditions on the columns of a sweep."""
from __future__ import annotations

import ast
import operator
from typing import Any, Collection, Dict

import numpy as np

from ._errors import UsageError
from ._names import suggestion

_BINARY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: operator.pow}
_COMPARE = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
            ast.NotEq: operator.ne}


def evaluate(condition: str, columns: Dict[str, np.ndarray], truths: Collection[str] = ()) -> np.ndarray:
    """A mask over the rows. Numbers, names of columns, + - * / ** , comparisons, and, or, not, abs.

    The columns in `truths` are 1, 0 or NaN, and may stand alone: undefined is false.
    """
    columns = _Columns(columns, truths)
    try:
        tree = ast.parse(condition.strip(), mode="eval").body
    except SyntaxError as error:
        raise UsageError(f"condition '{condition}': {error.msg}") from None
    rows = len(next(iter(columns.values())))
    with np.errstate(all="ignore"):
        value = np.asarray(columns.truth_of(tree) if columns.is_truth(tree) else _value(tree, columns))
    if value.dtype != np.bool_:
        raise UsageError(f"condition '{condition}' is a number, not a truth value; compare it, as in '{condition} == 1'")
    return np.broadcast_to(value, (rows,))


class _Columns(dict):
    def __init__(self, columns: Dict[str, np.ndarray], truths: Collection[str]):
        super().__init__(columns)
        self._truths = truths

    def is_truth(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id in self._truths

    def truth_of(self, node: ast.Name) -> np.ndarray:
        return self[node.id] == 1


def _value(node: ast.AST, columns: "_Columns") -> Any:
    if isinstance(node, ast.BoolOp):
        parts = [_truth(part, columns) for part in node.values]
        return (np.logical_and if isinstance(node.op, ast.And) else np.logical_or).reduce(np.broadcast_arrays(*parts))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return np.logical_not(_truth(node.operand, columns))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, columns)
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        left, right = (np.asarray(_value(side, columns), dtype=np.float64) for side in (node.left, node.right))
        return _BINARY[type(node.op)](left, right)
    if isinstance(node, ast.Compare):
        sides = [_value(side, columns) for side in [node.left] + node.comparators]
        parts = [_compare(type(op), a, b) for op, a, b in zip(node.ops, sides, sides[1:])]
        return np.logical_and.reduce(np.broadcast_arrays(*parts))
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "abs" and len(node.args) == 1:
        return np.abs(_value(node.args[0], columns))
    if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
        name = ast.unparse(node).replace(" ", "")
        if name in columns:
            return columns[name]
        raise UsageError(f"there is no column '{name}'" + suggestion(name, columns))
    raise UsageError(f"a condition cannot have '{ast.unparse(node)}'")


def _compare(op: type, a: Any, b: Any) -> np.ndarray:
    if op not in _COMPARE:
        raise UsageError("a condition compares with < <= > >= == !=")
    defined = np.logical_not(np.logical_or(np.isnan(a), np.isnan(b)))
    return np.logical_and(_COMPARE[op](a, b), defined)


def _truth(node: ast.AST, columns: "_Columns") -> np.ndarray:
    if columns.is_truth(node):
        return columns.truth_of(node)
    value = np.asarray(_value(node, columns))
    if value.dtype != np.bool_:
        raise UsageError(f"'{ast.unparse(node)}' is a number, not a truth value; compare it, as in '{ast.unparse(node)} == 1'")
    return value
