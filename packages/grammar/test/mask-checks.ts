import { compileJsonSchema, createTokenMasker, GrammarError } from '../src/index.ts';
import type { Grammar, JsonSchemaOptions, State, TokenMasker } from '../src/index.ts';
import { createValidator } from './reference-validator.ts';
import { alteredValue, randomNestedSchema, randomString } from './random-nested-schema.ts';
import type { Random } from './random.ts';
import { randomTokens } from './random-vocabulary.ts';

/** A vocabulary with its token masker. */
export type Tokens = { readonly vocabulary: readonly Uint8Array[]; readonly masker: TokenMasker };

/** Checks the masks of a random schema. Returns a description of the first defect, or `undefined`. */
export type MaskCheck = (random: Random, tokens: Tokens) => string | undefined;

export function tokensOf(vocabulary: readonly Uint8Array[]): Tokens {
  return { vocabulary, masker: createTokenMasker(vocabulary) };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });
const NO_BYTES = new Uint8Array();
// Ajv fails on some of these schemas while it tracks evaluated properties.
const validatorOf = (schema: object | boolean): ((value: unknown) => boolean) =>
  createValidator({ unevaluated: false }).compile(schema);

function compiled(schema: unknown, options: JsonSchemaOptions): Grammar | undefined {
  try {
    return compileJsonSchema(schema, { ...options, maxMs: Infinity });
  } catch (error) {
    if (error instanceof GrammarError) return undefined;
    throw error;
  }
}

/** The state after the bytes, one by one. */
function follow(from: State, bytes: Uint8Array): State | undefined {
  let state: State | undefined = from;
  for (const byte of bytes) state = state?.advanceByte(byte);
  return state;
}

const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));
const shown = (bytes: Uint8Array): string => JSON.stringify(new TextDecoder().decode(bytes));

/** The tokens for which `fits` is true, and a description of the first one that the mask does not contain, or contains wrongly. */
function differenceOf({ vocabulary, masker }: Tokens, state: State, fits: (token: Uint8Array) => boolean) {
  const expected = vocabulary.flatMap((bytes, id) => (bytes.length > 0 && fits(bytes) ? [id] : []));
  const allowed = masker.allowed(state).ids();
  const [all, known] = [new Set(allowed), new Set(expected)];
  const missing = expected.find((id) => !all.has(id));
  const wrong = allowed.find((id) => !known.has(id));
  const describe = (id: number): string => shown(vocabulary[id] ?? NO_BYTES);
  let difference: string | undefined;
  if (missing !== undefined) difference = `${describe(missing)} is not allowed`;
  else if (wrong !== undefined) difference = `${describe(wrong)} is allowed`;
  return { expected, difference };
}

/** Compares masks with a second grammar that follows each token byte by byte, and validates the values that tokens lead to. */
export function checkMasks(random: Random, tokens: Tokens, schema = randomNestedSchema(random)): string | undefined {
  const { vocabulary } = tokens;
  const options: JsonSchemaOptions = {
    unspecified: random.pick(['allow', 'reject']),
    propertyOrder: random.pick(['schema', 'any']),
    whitespace: random.pick(['compact', 'compact', 'any']),
  };
  const grammar = compiled(schema, options);
  const reference = compiled(schema, options);
  if (!grammar || !reference) return undefined;
  const validate = validatorOf(schema);
  let state = grammar.start();
  let referenceState = reference.start();
  let text: Uint8Array = NO_BYTES;
  for (let step = 0; step < 15; step++) {
    const where = `after ${shown(text)} of ${JSON.stringify(schema)} with ${JSON.stringify(options)}`;
    const { expected, difference } = differenceOf(
      tokens,
      state,
      (bytes) => follow(referenceState, bytes) !== undefined,
    );
    if (difference !== undefined) return `${difference} ${where}`;
    if (expected.length === 0) return undefined;
    // Prefers tokens of several bytes, which are rare.
    const long = expected.filter((id) => (vocabulary[id]?.length ?? 0) > 1);
    for (let sample = 0; sample < 3; sample++) {
      const bytes = vocabulary[random.pick(long.length > 0 ? long : expected)] ?? NO_BYTES;
      const whole = joined(text, bytes, follow(referenceState, bytes)?.completionBytes() ?? NO_BYTES);
      if (!validate(JSON.parse(decoder.decode(whole)))) return `${shown(bytes)} leads to ${shown(whole)} ${where}`;
    }
    const next = vocabulary[random.pick(long.length > 0 && random.chance(0.6) ? long : expected)] ?? NO_BYTES;
    const [one, other] = [state.advance(next), follow(referenceState, next)];
    if (!one || !other) return `${shown(next)} is both allowed and rejected ${where}`;
    [state, referenceState, text] = [one, other, joined(text, next)];
  }
  return undefined;
}

/** Splits values into random tokens: masks must allow all of them if and only if a validator accepts the value. */
export const checkValues: MaskCheck = (random, { vocabulary, masker }) => {
  const schema = randomNestedSchema(random);
  const grammar = compiled(schema, { unspecified: 'allow', propertyOrder: 'any' });
  if (!grammar) return undefined;
  const validate = validatorOf(schema);
  // Some formats are narrower than those of the validator, and no negation can express non-integer numbers.
  const isNarrow = /"(?:format|oneOf)"/.test(JSON.stringify(schema));
  for (let count = 0; count < 12; count++) {
    let value: unknown = JSON.parse(grammar.start().shortestCompletion());
    for (let change = random.int(4); change >= 0; change--) value = alteredValue(value, random);
    let state: State | undefined = grammar.start();
    for (const id of randomTokens(encoder.encode(JSON.stringify(value)), vocabulary, random)) {
      if (state) state = masker.allowed(state).has(id) ? state.advance(vocabulary[id] ?? NO_BYTES) : undefined;
    }
    const isAccepted = state?.canEnd() === true;
    const isValid = validate(value);
    if (isAccepted === isValid || (isValid && isNarrow)) continue;
    return `${JSON.stringify(value)} is ${isValid ? 'rejected' : 'accepted'}: ${JSON.stringify(schema)}`;
  }
  return undefined;
};

/** Compares masks of strings with length limits with a parser of such strings. */
export const checkLengths: MaskCheck = (random, tokens) => {
  const minLength = random.pick([0, 0, 1, 2, 3, 6]);
  const maxLength = minLength + random.pick([0, 1, 2, 3, 5, 400]);
  const grammar = compiled({ type: 'string', minLength, maxLength }, {});
  let text: Uint8Array = random.chance(0.5)
    ? encoder.encode(JSON.stringify(randomString(random)).slice(0, -1))
    : NO_BYTES;
  let state = grammar?.start().advance(text);
  for (let step = 0; step < 8; step++) {
    const where = `after ${shown(text)} of ${minLength} to ${maxLength} characters`;
    if ((state !== undefined) !== beginsString(text, minLength, maxLength)) return `wrong state ${where}`;
    if (state === undefined) return undefined;
    const fits = (bytes: Uint8Array): boolean => beginsString(joined(text, bytes), minLength, maxLength);
    const { expected, difference } = differenceOf(tokens, state, fits);
    if (difference !== undefined) return `${difference} ${where}`;
    if (expected.length === 0) return undefined;
    const next = tokens.vocabulary[random.pick(expected)] ?? NO_BYTES;
    state = state.advance(next);
    text = joined(text, next);
  }
  return undefined;
};

const CHARACTER = /^(?:[^"\\\0-\x1f]|\\(?:["\\bfnrt]|u00[01][0-9a-f]))/u;

/** Whether the bytes are a prefix of a string of `min` to `max` characters, in the form of `JSON.stringify`. */
function beginsString(bytes: Uint8Array, min: number, max: number): boolean {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return false;
  }
  if (text === '') return bytes.length === 0;
  if (!text.startsWith('"')) return false;
  const begun = encoder.encode(text).length < bytes.length ? 1 : 0;
  let rest = text.slice(1);
  let count = 0;
  for (let found = CHARACTER.exec(rest)?.[0]; found !== undefined; found = CHARACTER.exec(rest)?.[0]) {
    // Control characters that have a short escape must use it.
    if (found.startsWith('\\u') && JSON.stringify(JSON.parse(`"${found}"`)) !== `"${found}"`) return false;
    rest = rest.slice(found.length);
    count++;
  }
  if (rest === '') return count + begun <= max;
  if (begun === 1) return false;
  if (rest === '"') return count >= min && count <= max;
  return count < max && /^\\(?:u(?:0(?:0[01]?)?)?)?$/.test(rest);
}
