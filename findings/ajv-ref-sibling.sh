#!/usr/bin/env bash
# In a draft-07 schema, ajv checks the keywords next to a $ref, although the draft requires validators to ignore them.
#
# Guess:   Validators that pass the tests of draft-07 agree on a schema as small as a $ref with a maxLength.
# Happens: ajv refuses the longer text; jsonschema and jsonschema-rs, which follow the draft, accept it. Under 2020-12
#          all three refuse it, so the same schema means two things by a $schema line that many leave out.
# Package: npm ajv 8.20.0; PyPI jsonschema 4.26.0, jsonschema-rs 0.61.0
# Other:   ajv 8.18.0
# Seen:    2026-11-27
# Meets:   Servers that check with one library what a client checked with another.

. "$(dirname "$0")/lib/finding.bash"
npm_install ajv@8.20.0
pip_install jsonschema==4.26.0 jsonschema-rs==0.61.0

cat >schema.json <<'END'
{
	"$schema": "http://json-schema.org/draft-07/schema#",
	"definitions": { "name": { "type": "string" } },
	"properties": { "code": { "$ref": "#/definitions/name", "maxLength": 2 } }
}
END
cat >finding.js <<'END'
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'

const schema = JSON.parse(readFileSync('schema.json'))
console.log('ajv:', new Ajv({ strict: false }).validate(schema, { code: 'long' }))
END
cat >finding.py <<'END'
import json, jsonschema, jsonschema_rs

with open("schema.json") as file:
    schema = json.load(file)
print("jsonschema:", jsonschema.Draft7Validator(schema).is_valid({"code": "long"}))
print("jsonschema-rs:", jsonschema_rs.is_valid(schema, {"code": "long"}))
schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
print("jsonschema, 2020-12:", jsonschema.Draft202012Validator(schema).is_valid({"code": "long"}))
END
node finding.js >>seen
venv/bin/python finding.py >>seen

expect <<'END'
ajv 8.20.0
jsonschema 4.26.0
jsonschema-rs 0.61.0
ajv: false
jsonschema: True
jsonschema-rs: True
jsonschema, 2020-12: False
END
