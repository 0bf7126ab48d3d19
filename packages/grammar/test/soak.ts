// Compares many random grammars with reference validators; not a test. node test/soak.ts [schemas] [regexes] [larks] [seed] [combined schemas] [masks]
import { compileJsonSchema, compileLark, compileRegex, GrammarError } from '../src/index.ts';
import type { Grammar } from '../src/index.ts';
import { createValidator } from './reference-validator.ts';
import { checkLengths, checkMasks, checkValues, tokensOf } from './mask-checks.ts';
import type { MaskCheck } from './mask-checks.ts';
import { createRandom, randomText } from './random.ts';
import type { Random } from './random.ts';
import { isOfLark, randomLark, writeLark } from './random-lark.ts';
import { mutated, randomRegex } from './random-regex.ts';
import { randomLooseSchema, VALUE_TEXTS } from './random-loose-schema.ts';
import { randomInstance, randomStrictSchema, writeJson } from './random-schema.ts';
import { randomVocabulary } from './random-vocabulary.ts';

const [schemas = 10_000, regexes = 2000, larks = 200, seed = randomSeed(), combinations = 10_000, masks = 2000] =
  process.argv.slice(2).map(Number);
const ajv = createValidator();
console.log({ seed });

function randomSeed(): number {
  return Math.floor(Math.random() * 1000);
}

type Results = {
  name: string;
  rejected: Record<string, number>;
  texts: number;
  checked: number;
  wrong: number;
  times: number[];
};
const wrong = (results: Results, what: string): void => {
  if (++results.wrong <= 5) console.log('WRONG', results.name, what);
};

function compileTimed(results: Results, compile: () => Grammar): Grammar | undefined {
  const from = performance.now();
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof GrammarError)) throw error;
    results.rejected[error.code] = (results.rejected[error.code] ?? 0) + 1;
    if (error.code === 'limit') console.log(error.message);
    return undefined;
  } finally {
    results.times.push(performance.now() - from);
  }
}

function run(name: string, count: number, each: (random: Random, results: Results) => void): void {
  const results: Results = { name, rejected: {}, texts: 0, checked: 0, wrong: 0, times: [] };
  for (let i = 0; i < count; i++) each(createRandom(seed * 1_000_003 + i), results);
  const sorted = results.times.sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2);
  const { rejected, texts, checked, wrong: failed } = results;
  console.log(
    name,
    { count, rejected, texts, checked, wrong: failed },
    `compile ms p50 ${at(0.5)} p99 ${at(0.99)} max ${at(0.99999)}`,
  );
}

function jsonSchema(random: Random, results: Results): void {
  const schema = randomStrictSchema(random);
  const grammar = compileTimed(results, () => compileJsonSchema(schema, { strict: true }));
  if (!grammar) return;
  const validate = ajv.compile(schema);
  for (let i = 0; i < 2; i++) {
    const text = randomText(grammar.start(), random, 120);
    results.texts++;
    if (!validate(JSON.parse(text))) wrong(results, `${text} of ${JSON.stringify(schema)}`);
    const value = randomInstance(schema, schema, random);
    if (value === undefined || !validate(value)) continue;
    results.checked++;
    const written = writeJson(value, random);
    if (grammar.start().advance(written)?.canEnd() !== true)
      wrong(results, `rejects ${written} of ${JSON.stringify(schema)}`);
  }
  ajv.removeSchema(schema);
}

/** Checks that no value of a schema with keywords that depend on each other is accepted although it is invalid. */
function combined(unspecified: 'allow' | 'reject') {
  return (random: Random, results: Results): void => {
    const schema = randomLooseSchema(random);
    const grammar = compileTimed(results, () => compileJsonSchema(schema, { unspecified }));
    if (!grammar) return;
    // Ajv fails on some of these schemas while it tracks evaluated properties.
    const validate = createValidator({ unevaluated: false }).compile(schema);
    const generated = Array.from({ length: 3 }, () => randomText(grammar.start(), random, 100));
    const accepted = VALUE_TEXTS.filter((text) => grammar.start().advance(text)?.canEnd() === true);
    for (const text of [...generated, ...accepted]) {
      results.texts++;
      if (!isValid(text, validate)) {
        wrong(results, `${JSON.stringify(text)} of ${JSON.stringify(schema)}, unspecified: ${unspecified}`);
      }
    }
  };
}

/** Whether a text is JSON, and its value is valid. */
function isValid(text: string, validate: (value: unknown) => boolean): boolean {
  try {
    return validate(JSON.parse(text));
  } catch {
    return false;
  }
}

function regex(random: Random, results: Results): void {
  const source = randomRegex(random);
  const reference = new RegExp(`^(?:${source})$`, 'u');
  const grammar = compileTimed(results, () => compileRegex(source));
  const pattern = compileTimed(results, () => compileJsonSchema({ type: 'string', pattern: source }));
  const search = new RegExp(source, 'u');
  for (let i = 0; i < 5 && grammar && pattern; i++) {
    const text = randomText(grammar.start(), random, 30);
    results.texts++;
    if (!reference.test(text)) wrong(results, `${JSON.stringify(text)} of ${source}`);
    const value: unknown = JSON.parse(randomText(pattern.start(), random, 30));
    if (typeof value !== 'string' || !search.test(value))
      wrong(results, `${JSON.stringify(value)} of pattern ${source}`);
    const other = mutated(text, random);
    if (
      pattern.start().advance(JSON.stringify(other))?.canEnd() !== search.test(other) &&
      (search.test(other) || pattern.start().advance(JSON.stringify(other))?.canEnd())
    ) {
      wrong(results, `pattern differs for ${JSON.stringify(other)} of ${source}`);
    }
    // For non-ASCII characters, \w and similar classes are narrower than in ECMAScript.
    if (!/^[\0-\x7f]*$/.test(other)) continue;
    results.checked++;
    if ((grammar.start().advance(other)?.canEnd() ?? false) !== reference.test(other))
      wrong(results, `differs on ${JSON.stringify(other)} of ${source}`);
  }
}

function lark(random: Random, results: Results): void {
  const described = randomLark(random);
  const source = writeLark(described);
  const grammar = compileTimed(results, () => compileLark(source));
  for (let i = 0; i < 5 && grammar; i++) {
    const text = randomText(grammar.start(), random, 14);
    if (text.length > 40) continue;
    results.texts++;
    if (!isOfLark(described, text)) wrong(results, `${JSON.stringify(text)} of\n${source}`);
    const other = mutated(text, random);
    results.checked++;
    if ((grammar.start().advance(other)?.canEnd() ?? false) !== isOfLark(described, other))
      wrong(results, `differs on ${JSON.stringify(other)} of\n${source}`);
  }
}

const vocabularies = [150, 600, 3000].map((size) => tokensOf(randomVocabulary(createRandom(seed), size)));

function masked(check: MaskCheck) {
  return (random: Random, results: Results): void => {
    results.checked++;
    const defect = check(random, random.pick(vocabularies));
    if (defect !== undefined) wrong(results, defect);
  };
}

run('schemas', schemas, jsonSchema);
for (const unspecified of ['allow', 'reject'] as const) {
  run(`combined schemas, unspecified: ${unspecified}`, combinations, combined(unspecified));
}
run('regexes', regexes, regex);
run('lark', larks, lark);
run('masks and bytes', masks, masked(checkMasks));
run('masks and values', masks, masked(checkValues));
run('masks and lengths', Math.ceil(masks / 4), masked(checkLengths));
