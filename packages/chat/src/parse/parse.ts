import { DecodeError, mapApiPromise } from '@modelwire/core';
import type { ApiPromise, CallOptions } from '@modelwire/core';
import { toolsByName } from '@modelwire/core/internal/tools';
import type { StandardSchema } from '@modelwire/core/internal/tools';
import type { ChatCompletion } from '@modelwire/schema/types';
import type { ChatClient } from '../client.ts';
import { toOutcome } from './outcome.ts';
import type { AnySchemaOutcome, Outcome } from './outcome.ts';
import { toRequest } from './request.ts';
import type { ParseParams } from './request.ts';
import type { ParseTool } from './tool-param.ts';

/** A completion with the outcomes of its choices. */
export interface Parsed<S extends StandardSchema, T extends readonly ParseTool[]> {
  /** The outcome of the first choice. */
  readonly outcome: Outcome<S, T>;
  /** The outcomes of all choices, for `n` above 1. */
  readonly outcomes: readonly Outcome<S, T>[];
  /** The unchanged completion. */
  readonly completion: ChatCompletion;
}

/**
 * Creates a chat completion, and parses the reply and the arguments of tool calls by schemas. A refusal, tool calls, a truncated reply and
 * a reply that the schema rejects are outcomes, not exceptions. Rejects with a `ModelwireError` as `create` does, and with an
 * `InputError` for a schema without a JSON Schema.
 */
export function parse<
  S extends StandardSchema = StandardSchema<string>,
  const T extends readonly ParseTool[] = readonly [],
>(chat: ChatClient, params: ParseParams<S, T>, options?: CallOptions): ApiPromise<Parsed<S, T>> {
  return mapApiPromise(
    () => chat.completions.create({ ...toRequest(params), stream: false }, options),
    (data) => parseCompletion(params, data),
  );
}

/** Parses the choices of a completion. */
export async function parseCompletion<S extends StandardSchema, T extends readonly ParseTool[]>(
  { response_format, tools = [] as unknown as T }: ParseParams<S, T>,
  completion: ChatCompletion,
): Promise<Parsed<S, T>> {
  const byName = toolsByName(tools);
  const parseChoice = (choice: ChatCompletion['choices'][number]): Promise<AnySchemaOutcome> =>
    toOutcome(choice, response_format?.schema, byName);
  // Each value is the output of the schema that its type is inferred from.
  const outcomes = (await Promise.all(completion.choices.map(parseChoice))) as readonly Outcome<S, T>[];
  const [outcome] = outcomes;
  if (outcome === undefined) throw new DecodeError('The response has no choices.', { body: completion });
  return { outcome, outcomes, completion };
}
