import type * as z from 'zod';
import { parseRequest, withDefaultModel, type ModelParseOptions, type Parsed } from '../parsing/parse.ts';
import { schemaForPresentFields } from '../parsing/present-fields.ts';
import { problem } from '../parsing/problem.ts';
import type { Problem } from '../types/parts.ts';
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
    const unsupported = unsupportedProblem(body);
    if (unsupported) return { ok: false, problem: unsupported };
    const input = withoutUnsupported(withDefaultModel(body, options));
    return parseRequest(schemaFor(input), input, options);
  };
}

/** Parameters that no model supports here: they continue what another service stored, and name other models. Null and an empty list have no effect. */
const unsupportedParameters = ['fallbacks', 'thread'] as const;
const unsupportedNames: ReadonlySet<string> = new Set(unsupportedParameters);

function unsupportedProblem(body: unknown): Problem | undefined {
  if (!isObject(body)) return undefined;
  const name = unsupportedParameters.find((each) => hasEffect(body[each]));
  if (name === undefined) return undefined;
  // The code makes clients send the whole conversation instead.
  const code = name === 'thread' ? 'thread_unsupported_request' : 'unsupported_parameter';
  return problem(code, [name], `Unsupported parameter: '${name}' is not supported by this server.`);
}

function hasEffect(value: unknown): boolean {
  return value != null && !(Array.isArray(value) && value.length === 0);
}

function withoutUnsupported(body: unknown): unknown {
  if (!isObject(body) || !unsupportedParameters.some((name) => name in body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !unsupportedNames.has(name)));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
