import type { ChatRequest } from '@modelwire/ports';
import type { Grammars } from '../grammar/grammars.ts';
import { stepsOrRefuse } from '../grammar/refusal.ts';
import type { GrammarPlace } from '../grammar/refusal.ts';
import { repaired } from '../grammar/repaired.ts';
import type { Held, PlannedPart } from '../parts.ts';
import type { Breathe } from '../prompt-tokens.ts';
import { fill } from '../values/fill.ts';
import { readConversation } from './conversation.ts';
import type { Ask } from './conversation.ts';
import { spoken } from './plan.ts';
import { factsIn, resultsIn } from './results.ts';

/**
 * The grammar of `response_format`; undefined for plain text. A schema that cannot be enforced in full is a 400, strict or not:
 * nothing is ever held to half of a schema.
 */
export async function heldFormat(
  { response_format: format }: ChatRequest,
  grammars: Grammars,
  breathe: Breathe,
): Promise<Held | undefined> {
  if (format.type === 'text') return undefined;
  if (format.type === 'json_object') {
    const place: GrammarPlace = { path: ['response_format'], of: 'response_format', kind: 'schema' };
    return { place, grammar: await stepsOrRefuse(place, grammars.jsonObject(), breathe) };
  }
  const { name, schema, strict } = format.json_schema;
  const path = ['response_format', 'json_schema', 'schema'];
  const place: GrammarPlace = { path, of: `response_format '${name}'`, kind: 'schema', schema };
  const compiling = grammars.jsonSchema(schema ?? true, { strict: strict === true });
  return { place, grammar: await stepsOrRefuse(place, compiling, breathe) };
}

/** An answer in JSON, filled from the words of the conversation. */
export async function structuredReply(
  request: ChatRequest,
  held: Held,
  grammars: Grammars,
  breathe: Breathe,
): Promise<PlannedPart> {
  const { response_format: format } = request;
  const ask = readConversation(request.messages);
  const { answer, word } = spoken(request);
  const asked = format.type === 'json_object' ? askedObject(ask) : undefined;
  const words = {
    text: asked?.text ?? ask.head,
    around: ask.earlier
      .slice(-20)
      .map(({ text }) => text.slice(0, 400))
      .join('\n'),
    answer,
    word,
    facts: factsIn(resultsIn(request.messages)),
  };
  const schema = format.type === 'json_schema' ? (format.json_schema.schema ?? {}) : asked?.schema;
  const filled = await stepsOrRefuse(held.place, fill(schema, words, grammars), breathe);
  const text = await stepsOrRefuse(held.place, repaired(held.grammar, JSON.stringify(filled)), breathe);
  return { kind: 'text', segments: [[text]], held };
}

const numeric =
  /^(?:age|count|number|year|price|amount|quantity|total|score|sum|size|length|population|rating|temperature|day|night|week|month|hour|minute|second)s?$/i;

/** JSON mode knows no schema: the keys that the messages name, or else one for the answer; and what else the prompt says. */
function askedObject({ head, instructions }: Ask): { readonly schema: unknown; readonly text: string } {
  const text = `${instructions.join('\n').slice(-1500)}\n${head}`;
  const shown = Array.from(
    /\{[\s\S]*$/.exec(text)?.[0].matchAll(/["'“`]([\w-]{1,40})["'”`]\s*:/g) ?? [],
    ([, key = '']) => key,
  );
  const quotedBefore =
    /((?:["'“`][\w-]{1,40}["'”`](?:\s*,\s*(?:and\s+)?|\s+and\s+)?){1,12})\s+(?:as\s+)?(?:keys?|fields?|propert(?:y|ies)|attributes?)\b/i.exec(
      text,
    )?.[1];
  const listed =
    quotedBefore ??
    /\b(?:keys?|fields?|propert(?:y|ies)|attributes?)\b(?:\s+(?:named|called|are|of|for|like))?\s*:?\s*((?:["'“`]?[\w-]{1,40}["'”`]?(?:\s*,\s*(?:and\s+)?|\s+and\s+)?){1,12})/i.exec(
      text,
    )?.[1] ??
    '';
  const keys =
    shown.length > 0
      ? shown
      : (listed.match(/[\w-]+/g) ?? []).filter((key) => !/^(?:and|or|the|a|in|of|with)$/i.test(key));
  const names = [...new Set(keys)].slice(0, 20);
  if (names.length === 0) names.push('answer');
  const properties = Object.fromEntries(
    names.map((name) => [
      name,
      { type: numeric.test(name) ? 'number' : /^(?:is|has)[_A-Z]/.test(name) ? 'boolean' : 'string' },
    ]),
  );
  return {
    schema: { type: 'object', properties, required: names },
    text: listed === '' ? head : head.replace(listed, ' '),
  };
}
