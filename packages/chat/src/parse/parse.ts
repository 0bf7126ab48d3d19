import { DecodeError } from '@modelwire/core';
import type { ApiPromise, CallOptions } from '@modelwire/core';
import type { ChatCompletion } from '@modelwire/schema/types';
import type { ChatClient } from '../client.ts';
import type { StandardSchema } from '../schema/standard-schema.ts';
import type { ParseTool } from '../tools/tool.ts';
import { readOutcome } from './outcome.ts';
import type { AnySchemaOutcome, Outcome } from './outcome.ts';
import { requestOf } from './request.ts';
import type { ParseParams } from './request.ts';
import { namedTools } from './tool-calls.ts';

/** A completion, and what its choices came to. */
export interface Parsed<S extends StandardSchema, T extends readonly ParseTool[]> {
  /** Of the first choice. */
  readonly outcome: Outcome<S, T>;
  /** Of every choice, for `n` above 1. */
  readonly outcomes: readonly Outcome<S, T>[];
  /** The completion as it came. */
  readonly completion: ChatCompletion;
}

/**
 * Create chat completion, with the answer and the arguments of tool calls parsed by schemas. What a model may do is an
 * outcome and no exception: refuse, call tools, be cut, or write what the schema does not take. Rejects with a
 * `ModelwireError` as `create` does, and with an `InputError` for a schema that cannot be sent.
 */
export function parse<
  S extends StandardSchema = StandardSchema<string>,
  const T extends readonly ParseTool[] = readonly [],
>(chat: ChatClient, params: ParseParams<S, T>, options?: CallOptions): ApiPromise<Parsed<S, T>> {
  // An async function, so that a schema that cannot be sent rejects and does not throw.
  const sent = (async () => chat.completions.create({ ...requestOf(params), stream: false }, options).withResponse())();
  const data = sent.then((result) => readParsed(params, result.data));
  return Object.assign(data, { withResponse: () => data.then(async (parsed) => ({ ...(await sent), data: parsed })) });
}

/** What the choices of a completion came to. */
export async function readParsed<S extends StandardSchema, T extends readonly ParseTool[]>(
  { response_format, tools = [] as unknown as T }: ParseParams<S, T>,
  completion: ChatCompletion,
): Promise<Parsed<S, T>> {
  const named = namedTools(tools);
  const read = (choice: ChatCompletion['choices'][number]): Promise<AnySchemaOutcome> =>
    readOutcome(choice, response_format?.schema, named);
  // The types are the schemas' word: each value comes from the one that its type is of.
  const outcomes = (await Promise.all(completion.choices.map(read))) as readonly Outcome<S, T>[];
  const [outcome] = outcomes;
  if (outcome === undefined) throw new DecodeError('The answer has no choice.', { body: completion });
  return { outcome, outcomes, completion };
}
