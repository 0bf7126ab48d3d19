import type { ChatRequest } from '@modelwire/ports';
import type { GrammarSteps, Steps } from '@modelwire/grammar';
import { stepsOrInvalid } from '../grammar/constraint.ts';
import type { Constraint, GrammarLocation } from '../grammar/constraint.ts';
import { readConversation } from '../prompt/conversation.ts';
import type { Conversation } from '../prompt/conversation.ts';
import type { Yield } from '../sampling/pace.ts';
import type { ValueSource } from '../values/candidates.ts';
import { writeJson } from '../values/write-json.ts';
import { factsIn } from './results.ts';
import { textReply } from './text-reply.ts';

/** The sources of values: the last user message, earlier messages, and results of tools. */
export function valueSource(request: ChatRequest, { head, earlier, calls }: Conversation): ValueSource {
  const { text, word } = textReply({ ...request, verbosity: request.verbosity === 'high' ? 'medium' : 'low' });
  return { text: head, context: earlier.slice(-20).join('\n'), answer: text, word, facts: factsIn(calls) };
}

/** The grammar of `response_format`; undefined for text. A schema that cannot be enforced in full is a 400, strict or not. */
export async function formatConstraint(
  { response_format: format }: ChatRequest,
  grammars: GrammarSteps,
  pause: Yield,
): Promise<Constraint | undefined> {
  if (format.type === 'text') return undefined;
  const { name, schema = true, strict } = format.type === 'json_schema' ? format.json_schema : {};
  const path = ['response_format', ...(name === undefined ? [] : ['json_schema', 'schema'])];
  const of = name === undefined ? 'response_format' : `response_format '${name}'`;
  const location: GrammarLocation = { path, of, kind: 'schema', schema };
  const steps = name === undefined ? grammars.jsonObject() : grammars.jsonSchema(schema, { strict: strict === true });
  return { location, grammar: await stepsOrInvalid(location, steps, pause) };
}

/** A reply in JSON, with values from the conversation. */
export async function jsonReply(
  request: ChatRequest,
  { grammar, location }: Constraint,
  grammars: GrammarSteps,
  pause: Yield,
): Promise<string> {
  const { response_format: format, messages } = request;
  const conversation = readConversation(messages);
  const source = valueSource(request, conversation);
  if (format.type !== 'json_object') {
    const schema = format.type === 'json_schema' ? format.json_schema.schema : undefined;
    return stepsOrInvalid(location, writeJson(grammar, schema, source), pause);
  }
  const { schema, listed } = schemaOfPrompt(conversation);
  const text = listed === '' ? source.text : source.text.replace(listed, ' ');
  const steps = function* (): Steps<string> {
    return yield* writeJson(yield* grammars.jsonSchema(schema), schema, { ...source, text });
  };
  return stepsOrInvalid(location, steps(), pause);
}

const numeric = /^(?:age|count|number|year|price|amount|quantity|total|score|sum|size|length|population|rating|temperature|day|night|week|month|hour|minute|second)s?$/i; // prettier-ignore
const keyNoun = '(?:keys?|fields?|propert(?:y|ies)|attributes?)';
const separator = String.raw`(?:\s*,\s*(?:and\s+)?|\s+and\s+)?`;
const quotedKeys = new RegExp(String.raw`((?:["'“\x60][\w-]{1,40}["'”\x60]${separator}){1,12})\s+(?:as\s+)?${keyNoun}\b`, 'i'); // prettier-ignore
const keysBehind = new RegExp(
  String.raw`\b${keyNoun}\b(?:\s+(?:named|called|are|of|for|like))?\s*:?\s*((?:["'“\x60]?[\w-]{1,40}["'”\x60]?${separator}){1,12})`,
  'i',
);

/** JSON mode has no schema: the keys that the messages name, or else `answer`. */
function schemaOfPrompt({ head, instructions }: Conversation): { readonly schema: object; readonly listed: string } {
  const text = `${instructions.slice(-1500)}\n${head}`;
  const example = /\{[\s\S]*$/.exec(text)?.[0] ?? '';
  const shown = Array.from(example.matchAll(/["'“`]([\w-]{1,40})["'”`]\s*:/g), ([, key = '']) => key);
  const listed = quotedKeys.exec(text)?.[1] ?? keysBehind.exec(text)?.[1] ?? '';
  const named = (listed.match(/[\w-]+/g) ?? []).filter((key) => !/^(?:and|or|the|a|in|of|with)$/i.test(key));
  const keys = [...new Set(shown.length > 0 ? shown : named)].slice(0, 20);
  const typeOf = (key: string): string => (numeric.test(key) ? 'number' : /^(?:is|has)[_A-Z]/.test(key) ? 'boolean' : 'string'); // prettier-ignore
  const required = keys.length > 0 ? keys : ['answer'];
  const properties = Object.fromEntries(required.map((key) => [key, { type: typeOf(key) }]));
  return { schema: { type: 'object', properties, required }, listed };
}
