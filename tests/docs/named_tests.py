"""Looks for the tests that documents name.

    named_tests.py

In the column "test" of a table, `Suite`, `Suite.Case`, `Suite.*` and `Suite.BeginningOfACase...` must be tests of this
project: of GoogleTest, or of ctest (add_test).
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOOGLE = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)")
CTEST = re.compile(r"add_test\(NAME (\w+)\.(\w*)(\$\{\w+\})?")
NAME = re.compile(r"`([A-Z]\w+)(?:\.(\w*)(\*|\.\.\.)?)?`")


def known_tests():
    """Sets of cases by suite; a case that CMake completes ends in *."""
    tests = {}
    for path in (ROOT / "tests").rglob("*.cpp"):
        for suite, case in GOOGLE.findall(path.read_text()):
            tests.setdefault(suite, set()).add(case)
    for path in [*(ROOT / "tests").rglob("CMakeLists.txt"), *(ROOT / "tests").glob("*.cmake")]:
        for suite, case, variable in CTEST.findall(path.read_text()):
            tests.setdefault(suite, set()).add(case + ("*" if variable else ""))
    return tests


def is_known(tests, suite, case, ending):
    cases = tests.get(suite, set())
    if not case:
        return bool(cases)
    if ending:
        return any(known.startswith(case) for known in cases)
    return case in cases or any(known.endswith("*") and case.startswith(known[:-1]) for known in cases)


def named_tests(text):
    """Suite, case and ending of each test in a column of tables that is headed "test"."""
    column = None
    for line in text.splitlines():
        if not line.startswith("|"):
            column = None
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)]
        if column is None:
            headings = [i for i, cell in enumerate(cells) if re.match(r"test\b", cell)]
            column = headings[0] if headings else -1
        elif column > 0 and column < len(cells):
            yield from NAME.findall(cells[column])


def main():
    tests, count, unknown = known_tests(), 0, []
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for suite, case, ending in named_tests(path.read_text()):
            count += 1
            if not is_known(tests, suite, case, ending):
                unknown.append(f"{path.relative_to(ROOT)}: there is no test {suite}.{case}{ending}")
    assert not unknown, "\n" + "\n".join(unknown)
    assert count > 100, f"only {count} tests are named: are the tables still read?"


main()
