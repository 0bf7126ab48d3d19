import { GrammarError } from '../errors.ts';
import { childPath, inexactNumber, isJsonObject, isRawNumber } from './keywords.ts';

/** Limits on schemas in every mode: several times those of the largest public schemas. Strict mode has additional limits. */
export const SCHEMA_LIMITS = {
  /** Characters of the whole schema as JSON. */
  text: 2_000_000,
  /** Characters of all property names and of strings in `enum` and `const`, in total. */
  characters: 300_000,
  /** Values of all `enum`s in total. */
  enumValues: 50_000,
  /** Nesting of objects and arrays. */
  depth: 1500,
} as const;

type Size = Record<keyof typeof SCHEMA_LIMITS, number>;

/** The minimum number of characters that each value adds, without its strings. */
const VALUE_CHARACTERS = 2;

/**
 * Returns the length of a schema as JSON, in characters.
 * @throws GrammarError if it exceeds a limit or cannot be serialized.
 */
export function checkSize(schema: unknown): number {
  const notSerializable = 'a schema must be a JSON value: this one cannot be serialized';
  try {
    measure(schema, '#', false, { text: 0, characters: 0, enumValues: 0, depth: 0 });
    return JSON.stringify([schema]).length;
  } catch (error) {
    if (error instanceof GrammarError) throw error;
    throw new GrammarError('syntax', notSerializable, { path: '#' });
  }
}

function measure(value: unknown, path: string, constant: boolean, size: Size): void {
  addText(size, VALUE_CHARACTERS);
  if (constant && isRawNumber(value)) throw inexactNumber(value, path);
  if (typeof value === 'string') {
    addText(size, value.length);
    if (constant) addCharacters(size, value.length, path);
  } else if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    enterLevel(size);
    let index = 0;
    for (const item of items) measure(item, constant ? path : childPath(path, index++), constant, size);
    size.depth--;
  } else if (isJsonObject(value)) {
    enterLevel(size);
    for (const name of Object.keys(value)) {
      addText(size, name.length);
      measureMember(value[name], name, path, constant, size);
    }
    size.depth--;
  }
}

function enterLevel(size: Size): void {
  if (++size.depth <= SCHEMA_LIMITS.depth) return;
  const reason = `a schema can have at most ${SCHEMA_LIMITS.depth} nested objects and arrays`;
  throw new GrammarError('limit', reason, { path: '#' });
}

function measureMember(value: unknown, name: string, path: string, constant: boolean, size: Size): void {
  // Names within a constant are characters of the constant. Elsewhere, a name is a keyword, or a property that is counted with `properties`.
  if (constant) addCharacters(size, name.length, path);
  if (constant) measure(value, path, true, size);
  else if (name === 'const' || (name === 'enum' && Array.isArray(value))) measureConstants(value, name, path, size);
  else {
    const at = childPath(path, name);
    if (name === 'properties' && isJsonObject(value)) {
      for (const property of Object.keys(value)) addCharacters(size, property.length, at);
    }
    measure(value, at, false, size);
  }
}

function measureConstants(value: unknown, keyword: string, path: string, size: Size): void {
  const at = childPath(path, keyword);
  if (Array.isArray(value)) size.enumValues += keyword === 'enum' ? value.length : 0;
  if (size.enumValues > SCHEMA_LIMITS.enumValues) {
    const reason = `a schema can have at most ${SCHEMA_LIMITS.enumValues} enum values in total`;
    throw new GrammarError('limit', reason, { path: at });
  }
  measure(value, at, true, size);
}

function addText(size: Size, length: number): void {
  size.text += length;
  if (size.text <= SCHEMA_LIMITS.text) return;
  throw new GrammarError('limit', `a schema can have at most ${SCHEMA_LIMITS.text} characters`, { path: '#' });
}

function addCharacters(size: Size, length: number, path: string): void {
  size.characters += length;
  if (size.characters <= SCHEMA_LIMITS.characters) return;
  const reason = `a schema can have at most ${SCHEMA_LIMITS.characters} characters of property names and constants in total`;
  throw new GrammarError('limit', reason, { path });
}
