import type { CallOptions } from '@modelwire/core';
import { createPartialJson } from '@modelwire/core/partial-json';
import type { DeepPartial, PartialJson } from '@modelwire/core/partial-json';
import { createParsedStream, createReplyReader } from '@modelwire/core/internal/tools';
import type * as core from '@modelwire/core/internal/tools';
import type { InferInput, StandardSchema } from '@modelwire/core/internal/tools';
import type { ResponseStreamEvent } from '@modelwire/schema/types';
import type { ResponsesClient } from '../client.ts';
import type { ResponseStream } from '../stream.ts';
import { parseResponse } from './parse.ts';
import type { Parsed } from './parse.ts';
import { toRequest } from './request.ts';
import type { ParseParams } from './request.ts';
import type { ParseTool } from './tool-param.ts';

/** The partial value of the reply. Follows its `response.output_text.delta`. */
export interface PartialEvent<Value> {
  readonly type: 'partial';
  /** Not validated. The same object is updated each time: copy it to keep it. */
  readonly partial: Value;
}

/** The partial arguments of a function call. Follows its `response.function_call_arguments.delta`. */
export interface PartialArgumentsEvent {
  readonly type: 'function_call.partial';
  readonly output_index: number;
  readonly name: string;
  /** Not validated. The same object is updated each time: copy it to keep it. */
  readonly partial: unknown;
}

export type ParsedStreamEvent<Value> = ResponseStreamEvent | PartialEvent<Value> | PartialArgumentsEvent;

/** Iterate it or its `partials()` once, await `final()`, or do both. */
export type ParsedStream<S extends StandardSchema, T extends readonly ParseTool[]> = core.ParsedStream<
  ParsedStreamEvent<DeepPartial<InferInput<S>>>,
  DeepPartial<InferInput<S>>,
  Parsed<S, T>
>;

/** {@link parse} as a stream: the request is sent immediately, and the response is read on demand. */
export function streamParsed<
  S extends StandardSchema = StandardSchema<string>,
  const T extends readonly ParseTool[] = readonly [],
>(responses: ResponsesClient, params: ParseParams<S, T>, options?: CallOptions): ParsedStream<S, T> {
  type Value = DeepPartial<InferInput<S>>;
  const stream = responses.stream(toRequest(params), options);
  const hasSchema = params.text?.format !== undefined;
  return createParsedStream(
    stream,
    () => events<Value>(stream, hasSchema),
    (event) => (event.type === 'partial' ? event.partial : undefined),
    (response) => parseResponse(params, response),
  );
}

async function* events<Value>(
  stream: ResponseStream,
  hasSchema: boolean,
): AsyncGenerator<ParsedStreamEvent<Value>, void, undefined> {
  const reply = createReplyReader(hasSchema);
  const calls = new Map<number, { readonly name: string; readonly reader: PartialJson }>();
  for await (const event of stream) {
    yield event;
    if (event.type === 'response.output_item.added' && event.item.type === 'function_call') {
      calls.set(event.output_index, { name: event.item.name, reader: createPartialJson() });
    } else if (event.type === 'response.output_text.delta') {
      const partial = reply.push(event.delta);
      // Not validated: partial values can violate the schema.
      if (partial !== undefined) yield { type: 'partial', partial: partial as Value };
    } else if (event.type === 'response.function_call_arguments.delta') {
      const { output_index } = event;
      const call = calls.get(output_index);
      const partial = call?.reader.push(event.delta);
      if (call && partial !== undefined) {
        yield { type: 'function_call.partial', output_index, name: call.name, partial };
      }
    }
  }
}
