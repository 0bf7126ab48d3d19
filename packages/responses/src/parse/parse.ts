import { mapApiPromise } from '@modelwire/core';
import type { ApiPromise, CallOptions } from '@modelwire/core';
import { toolsByName } from '@modelwire/core/internal/tools';
import type { StandardSchema } from '@modelwire/core/internal/tools';
import type { ResponsesClient } from '../client.ts';
import type { ModelResponse } from '../output-text.ts';
import { toOutcome } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import { toRequest } from './request.ts';
import type { ParseParams } from './request.ts';
import type { ParseTool } from './tool-param.ts';

/** A response with its outcome. */
export interface Parsed<S extends StandardSchema, T extends readonly ParseTool[]> {
  readonly outcome: Outcome<S, T>;
  /** The unchanged response. */
  readonly response: ModelResponse;
}

/**
 * Creates a response, and parses the reply and the arguments of tool calls by schemas. A refusal, tool calls, a truncated reply, a reply that
 * the schema rejects and a failed response are outcomes, not exceptions. Rejects with a `ModelwireError` as `create` does, and with an
 * `InputError` for a schema without a JSON Schema.
 */
export function parse<
  S extends StandardSchema = StandardSchema<string>,
  const T extends readonly ParseTool[] = readonly [],
>(responses: ResponsesClient, params: ParseParams<S, T>, options?: CallOptions): ApiPromise<Parsed<S, T>> {
  return mapApiPromise(
    () => responses.create({ ...toRequest(params), stream: false }, options),
    (data) => parseResponse(params, data),
  );
}

/** Parses the output of a response. */
export async function parseResponse<S extends StandardSchema, T extends readonly ParseTool[]>(
  { text, tools = [] as unknown as T }: ParseParams<S, T>,
  response: ModelResponse,
): Promise<Parsed<S, T>> {
  // Each value is the output of the schema that its type is inferred from.
  const outcome = (await toOutcome(response, text?.format?.schema, toolsByName(tools))) as Outcome<S, T>;
  return { outcome, response };
}
