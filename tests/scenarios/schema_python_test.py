"""An editor's view of a scenario: PyYAML reads it, jsonschema checks it against what `jostle schema` prints.

Called with the paths of jostle and of the library; exit status 77 says that it was skipped.
"""
import json
import pathlib
import subprocess
import sys

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

schema = json.loads(subprocess.run([sys.argv[1], "schema"], check=True, capture_output=True).stdout)
validator_class = jsonschema.validators.validator_for(schema)
validator_class.check_schema(schema)
validator = validator_class(schema)

files = sorted(pathlib.Path(sys.argv[2]).glob("*.yaml"))
assert len(files) >= 9, files
for file in files:
    text = file.read_text()
    errors = [error.message for error in validator.iter_errors(yaml.safe_load(text))]
    assert not errors, (file, errors)
    faults = (("world:", "wrld:"), ("jostle: 1", "jostle: 2"), ("between:", "betwen:"), ("revolute:", "hinge:"))
    for good, bad in faults:
        if good in ("between:", "revolute:") and good not in text:
            continue  # it has no contacts, or no joints
        assert good in text, (file, good)
        assert not validator.is_valid(yaml.safe_load(text.replace(good, bad))), (file, bad)
print(f"{len(files)} scenarios")
