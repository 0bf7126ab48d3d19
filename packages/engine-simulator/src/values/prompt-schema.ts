import type { ValueSource } from './candidates.ts';

const numeric =
  /^(?:age|count|number|year|price|amount|quantity|total|score|sum|size|length|population|rating|temperature|day|night|week|month|hour|minute|second)s?$/i;
const keyNoun = '(?:keys?|fields?|propert(?:y|ies)|attributes?)';
const separator = String.raw`(?:\s*,\s*(?:and\s+)?|\s+and\s+)?`;
const quotedKeys = new RegExp(
  String.raw`((?:["'“\x60][\w-]{1,40}["'”\x60]${separator}){1,12})\s+(?:as\s+)?${keyNoun}\b`,
  'i',
);
const keysBehind = new RegExp(
  String.raw`\b${keyNoun}\b(?:\s+(?:named|called|are|of|for|like))?\s*:?\s*((?:["'“\x60]?[\w-]{1,40}["'”\x60]?${separator}){1,12})`,
  'i',
);

/** JSON mode has no schema: one with the keys that the messages name, or else `answer`, and the text without them. Names tell the types. */
export function schemaOfPrompt({ text, conversation }: ValueSource): {
  readonly schema: object;
  readonly text: string;
} {
  const messages = `${conversation.instructions.slice(-1500)}\n${text}`;
  const example = /\{[\s\S]*$/.exec(messages)?.[0] ?? '';
  const shown = Array.from(example.matchAll(/["'“`]([\w-]{1,40})["'”`]\s*:/g), ([, key = '']) => key);
  const listed = quotedKeys.exec(messages)?.[1] ?? keysBehind.exec(messages)?.[1] ?? '';
  const named = (listed.match(/[\w-]+/g) ?? []).filter((key) => !/^(?:and|or|the|a|in|of|with)$/i.test(key));
  const keys = [...new Set(shown.length > 0 ? shown : named)].slice(0, 20);
  const required = keys.length > 0 ? keys : ['answer'];
  const properties = Object.fromEntries(required.map((key) => [key, { type: typeOf(key) }]));
  return { schema: { type: 'object', properties, required }, text: listed === '' ? text : text.replace(listed, ' ') };
}

function typeOf(key: string): string {
  if (numeric.test(key)) return 'number';
  return /^(?:is|has)[_A-Z]/.test(key) ? 'boolean' : 'string';
}
