#!/usr/bin/env bash
# Half of 5, in one CEL rule over one JSON document, is 2, 2.5 or an error, by the library.
#
# Guess:   CEL has a specification, so a rule gives the same answer in every language.
# Happens: JSON has one type of number, and CEL has two that do not mix. cel-python reads the 5 as an int and gives 2,
#          @bufbuild/cel reads it as a double and finds no operator, cel-js divides as JavaScript does.
# Package: npm @bufbuild/cel 0.6.1, cel-js 0.8.2; PyPI cel-python 0.5.0
# Other:   @bufbuild/cel 0.6.0
# Seen:    2026-11-27
# Meets:   Policies that are tested with one implementation and enforced with another.

. "$(dirname "$0")/lib/finding.bash"
npm_install @bufbuild/cel@0.6.1 cel-js@0.8.2
pip_install cel-python==0.5.0

cat >finding.js <<'END'
import { run } from '@bufbuild/cel'
import { evaluate } from 'cel-js'

const [rule, document] = [process.argv[2], JSON.parse(process.argv[3])]
const result = run(rule, document)
console.log('@bufbuild/cel:', result instanceof Error ? result.message : result)
console.log('cel-js:', evaluate(rule, document))
END
cat >finding.py <<'END'
import json, sys
import celpy

environment = celpy.Environment()
program = environment.program(environment.compile(sys.argv[1]))
print("cel-python:", program.evaluate(celpy.json_to_cel(json.loads(sys.argv[2]))))
END
node finding.js 'order.items / 2' '{"order": {"items": 5}}' >>seen
venv/bin/python finding.py 'order.items / 2' '{"order": {"items": 5}}' >>seen

expect <<'END'
@bufbuild/cel 0.6.1
cel-js 0.8.2
cel-python 0.5.0
@bufbuild/cel: found no matching overload for '_/_' applied to '(double, int)'
cel-js: 2.5
cel-python: 2
END
