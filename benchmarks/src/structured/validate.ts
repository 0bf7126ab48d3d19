import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** Whether a text is a valid document of the schema, by JSON.parse, a search for duplicate names and Ajv, if it knows the schema. */
export function createCheck(schema: unknown): (text: string) => boolean {
  let matches: (value: unknown) => boolean = () => true;
  try {
    const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false });
    addFormats.default(ajv);
    // Formats of ajv that are none of JSON Schema: there, they have no effect.
    for (const name of [
      'url',
      'iso-time',
      'iso-date-time',
      'byte',
      'int32',
      'int64',
      'float',
      'double',
      'password',
      'binary',
    ])
      ajv.addFormat(name, true);
    matches = ajv.compile(withoutDraft(schema) as object);
  } catch {
    // Of another draft, or with a pattern that ECMAScript does not know.
  }
  return (text) => {
    try {
      return matches(JSON.parse(text)) && !hasDuplicateNames(text);
    } catch {
      return false;
    }
  };
}

function withoutDraft(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).filter(([name]) => name !== '$schema' && name !== '$id' && name !== 'id'),
  );
}

function hasDuplicateNames(text: string): boolean {
  const objects: Set<string>[] = [];
  for (const [token, name] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') objects.push(new Set());
    else if (token === '}') objects.pop();
    else if (name !== undefined) {
      const names = objects.at(-1);
      const parsed = String(JSON.parse(name));
      if (names?.has(parsed) === true) return true;
      names?.add(parsed);
    }
  }
  return false;
}
