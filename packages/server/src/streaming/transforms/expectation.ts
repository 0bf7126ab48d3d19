import { GrammarError, runSteps } from '@modelwire/grammar';
import type { Steps } from '@modelwire/grammar';
import { problem } from '@modelwire/schema';
import type { ResponseFormat } from '@modelwire/schema/types';
import { invalid, quoteAll } from '../../errors.ts';
import type { RequestError } from '../../errors.ts';
import { jsonObject, jsonOfSchema } from './json-shape.ts';
import type { JsonCheck, JsonShape } from './json-shape.ts';

/** Requirements for a reply that the engine does not guarantee: the server repeats the request until they are met. */
export interface Expectation {
  /** Names of tools of which one must be called. */
  readonly toCall: readonly string[] | undefined;
  /** Check of the text, unless tools are called. */
  readonly json: JsonCheck | undefined;
  /** Maximum number of repetitions. */
  readonly maxRetries: number;
}

/**
 * Compiles the check of a response format, in steps: a large schema takes longer than other requests should wait.
 *
 * @throws a 400 that names the part of the schema that cannot be enforced.
 */
export function* formatCheckSteps(format: ResponseFormat): Steps<JsonCheck | undefined> {
  if (format.type === 'text') return undefined;
  if (format.type === 'json_object') return jsonObject;
  const { schema = {}, strict, name } = format.json_schema;
  try {
    return yield* jsonOfSchema(schema, strict ?? false);
  } catch (error) {
    throw error instanceof GrammarError ? schemaError(error, name, schema) : error;
  }
}

/** Compiles the schema of a response format synchronously. @throws a 400 that names the part of the schema that cannot be enforced. */
export function formatShape(format: ResponseFormat): JsonShape | undefined {
  const check = runSteps(formatCheckSteps(format));
  return check && ((text) => runSteps(check(text)));
}

/** Converts to the error that an engine reports which compiles the schema itself. */
function schemaError({ path = '#', reason }: GrammarError, name: string, schema: unknown): RequestError {
  let at = schema;
  const steps = path
    .split('/')
    .slice(1)
    .map((escaped) => {
      const key = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
      const isList = Array.isArray(at);
      at = typeof at === 'object' && at !== null ? Object.getOwnPropertyDescriptor(at, key)?.value : undefined;
      return isList ? Number(key) : key;
    });
  const { param } = problem('invalid_value', ['response_format', 'json_schema', 'schema', ...steps], '');
  return invalid(param, `Invalid schema for response_format '${name}': ${reason}.`, 'invalid_json_schema');
}

/** Instructions for what cannot be expressed by parameters. */
export function instruction(format: ResponseFormat | undefined, toCall: readonly string[] | undefined): string {
  const sentences: string[] = [];
  if (toCall)
    sentences.push(`Answer by calling ${toCall.length === 1 ? 'the tool' : 'one of the tools'} ${quoteAll(toCall)}.`);
  if (format?.type === 'json_object') sentences.push('Answer with one JSON object and nothing else.');
  if (format?.type === 'json_schema') {
    const { description, schema = {} } = format.json_schema;
    const what = description === undefined ? '' : ` (${description})`;
    sentences.push(
      `Answer with JSON${what} and nothing else. It has to fit this JSON Schema: ${JSON.stringify(schema)}`,
    );
  }
  return sentences.join('\n');
}
