// Compares the grammars of all schemas in a folder with a reference validator; not a test. node test/check-schemas.ts <folder of .json files> [seed]
import { compileJsonSchema, GrammarError } from '../src/index.ts';
import type { Grammar } from '../src/index.ts';
import { forValidator, readSchema, schemaFiles, toStrictSchema } from './collections.ts';
import { createValidator } from './reference-validator.ts';
import { createRandom, randomText } from './random.ts';

const [folder = '.', seed = '1'] = process.argv.slice(2);
const files = schemaFiles(folder);
const counts = new Map<string, number>();
const times: number[] = [];
const count = (what: string): unknown => counts.set(what, (counts.get(what) ?? 0) + 1);

function compiled(kind: string, schema: unknown, strict: boolean): Grammar | undefined {
  const from = performance.now();
  try {
    return compileJsonSchema(schema, { strict });
  } catch (error) {
    if (!(error instanceof GrammarError)) throw error;
    count(`${kind} rejected: ${error.code}`);
    return undefined;
  } finally {
    times.push(performance.now() - from);
  }
}

function check(kind: string, name: string, schema: unknown, strict: boolean): void {
  const grammar = compiled(kind, schema, strict);
  if (!grammar) return;
  let validate;
  try {
    validate = createValidator().compile(forValidator(schema));
  } catch {
    count(`${kind} compiled, but not by the validator`);
    return;
  }
  count(`${kind} compiled`);
  const random = createRandom(Number(seed));
  for (let i = 0; i < 2; i++) {
    const text = randomText(grammar.start(), random, 150);
    const right = validate(JSON.parse(text));
    count(right ? `${kind} texts valid` : `${kind} texts INVALID`);
    if (!right) console.log(kind, name, text.slice(0, 200), JSON.stringify(validate.errors?.[0]));
  }
}

for (const name of files) {
  const schema = readSchema(folder, name);
  check('original', name, schema, false);
  check('converted to strict', name, toStrictSchema(schema), true);
}
times.sort((a, b) => a - b);
const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(2);
console.log(files.length, 'files', Object.fromEntries([...counts].sort()));
console.log(`compile ms p50 ${at(0.5)} p99 ${at(0.99)} max ${(times.at(-1) ?? 0).toFixed(1)}`);
