import type * as z from 'zod';
import { parseRequest, withDefaultModel, type ModelParseOptions, type Parsed } from '../parsing/parse.ts';
import { schemaForPresentFields } from '../parsing/present-fields.ts';
import { unsupportedProblem, withoutParameters } from '../parsing/unsupported.ts';
import { messageCountTokensParamsSchema, messageCreateParamsSchema } from './create.ts';

/** Parses the body of Create message. Adds no defaults. Never throws for any input. */
export const parseMessageCreate = parserOf(messageCreateParamsSchema);

/** Parses the body of Count message tokens, in the same way. */
export const parseMessageCountTokens = parserOf(messageCountTokensParamsSchema);

function parserOf<Schema extends z.ZodObject>(
  schema: Schema,
): (body: unknown, options?: ModelParseOptions) => Parsed<z.output<Schema>> {
  const schemaFor = schemaForPresentFields(schema);
  return (body, options) => {
    const problem = unsupportedProblem(body, unsupported);
    if (problem) return { ok: false, problem };
    const input = withoutParameters(withDefaultModel(body, options), unsupported);
    return parseRequest(schemaFor(input), input, options);
  };
}

/** They continue what another service stored, and name other models. The code of `thread` makes clients send the whole conversation instead. */
const unsupported = new Map([
  ['fallbacks', 'unsupported_parameter'],
  ['thread', 'thread_unsupported_request'],
]);
