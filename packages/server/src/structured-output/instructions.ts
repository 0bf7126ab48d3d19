import type { ResponseFormat } from '@modelwire/schema/types';
import { quoteAll } from '../errors.ts';

/** Asks for a format that the engine has no parameter for. */
export function formatInstruction(format: ResponseFormat): string {
  if (format.type === 'text') return '';
  if (format.type === 'json_object') return 'Answer with one JSON object and nothing else.';
  const { description, schema = {} } = format.json_schema;
  const what = description === undefined ? '' : ` (${description})`;
  return `Answer with JSON${what} and nothing else. It has to fit this JSON Schema: ${JSON.stringify(schema)}`;
}

/** Asks for a call of one of these tools. */
export function toolInstruction(names: readonly string[]): string {
  return `Answer by calling ${names.length === 1 ? 'the tool' : 'one of the tools'} ${quoteAll(names)}.`;
}

/** Describes the input of a custom tool. */
export function grammarInstruction({
  syntax,
  definition,
}: {
  readonly syntax: string;
  readonly definition: string;
}): string {
  return `The input ${syntax === 'lark' ? 'follows this Lark grammar' : 'matches this regular expression'}: ${definition}`;
}
