# Judges values by jsonschema, as schemas.mjs does by ajv.
import json
import sys

import jsonschema

for line in sys.stdin:
    asked = json.loads(line)
    try:
        schema = json.loads(asked["schema"])
        kind = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
        kind.check_schema(schema)
        validator = kind(schema)
        answer = {"valid": [validator.is_valid(json.loads(value)) for value in asked["values"]]}
    except Exception as e:  # of any kind: the caller counts it
        answer = {"error": type(e).__name__ + ": " + str(e)[:200]}
    print(json.dumps(answer), flush=True)
