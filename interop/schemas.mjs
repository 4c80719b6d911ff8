// Judges values by ajv. Each line of stdin is {"schema": text, "values": [text, ...]}; each line of stdout is
// {"error": text} where the schema does not compile, else {"valid": [bool, ...]}. Formats are notes.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(import.meta.url);
const options = { strict: false, validateFormats: false, logger: false, ownProperties: true };
const dialects = [
  [/draft-07/, require("ajv").default],
  [/2019-09/, require("ajv/dist/2019").default],
  [/(?:)/, require("ajv/dist/2020").default],
];

for await (const line of createInterface({ input: process.stdin })) {
  const { schema, values } = JSON.parse(line);
  let answer;
  try {
    const read = JSON.parse(schema);
    const Ajv = dialects.find(([is]) => is.test(read.$schema ?? ""))[1];
    const validate = new Ajv(options).compile(read);
    answer = { valid: values.map((value) => validate(JSON.parse(value))) };
  } catch (e) {
    answer = { error: String(e.message) };
  }
  console.log(JSON.stringify(answer));
}
