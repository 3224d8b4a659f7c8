"""What the source of the package keeps to, whatever Python runs these tests: it is that of Python 3.9 and later."""
import ast
import pathlib

import jostle
import pytest
from conftest import ROOT

SOURCES = sorted((ROOT / "python" / "jostle").glob("*.py")) + sorted((ROOT / "examples").glob("*.py"))
STUBS = sorted(pathlib.Path(jostle.__file__).parent.glob("*.pyi"))
LATER = {"zip": "strict", "dataclass": "slots"}  # arguments that Python 3.10 has brought


@pytest.mark.parametrize("path", SOURCES + STUBS, ids=lambda path: path.name)
def test_python_3_9_reads_it(path):
    tree = ast.parse(path.read_text(), feature_version=(3, 9))
    nodes = list(ast.walk(tree))
    assert not any(isinstance(node, getattr(ast, "Match", ())) for node in nodes)
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert LATER.get(node.func.id) not in [keyword.arg for keyword in node.keywords], node.lineno
    has_annotations = any(getattr(node, "annotation", None) or getattr(node, "returns", None) for node in nodes)
    if has_annotations and path.suffix == ".py":
        names = [alias.name for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"
                 for alias in node.names]
        assert "annotations" in names, "annotations are not evaluated, so `list[int] | None` may stand in them"


def test_everything_public_is_explained():
    missing = []
    for name in (name for name in vars(jostle) if not name.startswith("_")):
        value = getattr(jostle, name)
        if not callable(value):
            continue
        if not value.__doc__:
            missing.append(name)
        for member, part in vars(value).items() if isinstance(value, type) else ():
            is_public = not member.startswith("_") and (callable(part) or isinstance(part, property))
            if is_public and not part.__doc__:
                missing.append(f"{name}.{member}")
    assert not missing
