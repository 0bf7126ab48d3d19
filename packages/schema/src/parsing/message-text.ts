/** Maximum length of text from a request in a message. */
const QUOTE_MAX = 80;

/** Text from a request in quotes, truncated, on one line. */
export function quote(value: string): string {
  const truncated = value.length > QUOTE_MAX ? `${value.slice(0, QUOTE_MAX)}…` : value;
  return `'${truncated.replace(/[\p{Cc}\p{Cs}]/gu, '\u{FFFD}')}'`;
}

/** The type of a JSON value, with its article. */
export function describeJsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  switch (typeof value) {
    case 'string':
      return 'a string';
    case 'boolean':
      return 'a boolean';
    case 'number':
      // JSON.parse turns a number such as 1e400 into Infinity.
      if (!Number.isFinite(value)) return 'a number outside the supported range';
      return Number.isInteger(value) ? 'an integer' : 'a decimal number';
    case 'bigint':
      return 'an integer';
    case 'undefined':
      return 'nothing';
    default:
      return 'an object';
  }
}

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};
/** The entries of the arrays in these fields. */
const ITEMS: Readonly<Record<string, string>> = {
  content: 'content parts',
  messages: 'messages',
  stop: 'strings',
  tools: 'tools',
  tool_calls: 'tool calls',
  functions: 'functions',
  modalities: 'strings',
  input: 'strings or objects',
  part_ids: 'strings',
};

/** The value that a schema expected, as a noun; for arrays with their entries. */
export function describeExpected(expected: string, field: PropertyKey | undefined): string {
  const noun = Object.hasOwn(NOUNS, expected) ? NOUNS[expected] : undefined;
  if (expected === 'array' && typeof field === 'string' && Object.hasOwn(ITEMS, field)) {
    return `an array of ${String(ITEMS[field])}`;
  }
  return noun ?? expected;
}

/** `a`, `a or b`, `a, b or c`. */
export function orList(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} or ${last}`;
}
