import type { CallOptions } from '@modelwire/core';
import { createPartialJson } from '@modelwire/core/partial-json';
import type { DeepPartial, PartialJson } from '@modelwire/core/partial-json';
import { createParsedStream, createReplyReader } from '@modelwire/core/internal/tools';
import type * as core from '@modelwire/core/internal/tools';
import type { InferInput, StandardSchema } from '@modelwire/core/internal/tools';
import type { ChatClient } from '../client.ts';
import type { ChatStreamEvent } from '../stream-events.ts';
import type { ChatStream } from '../stream.ts';
import { parseCompletion } from './parse.ts';
import type { Parsed } from './parse.ts';
import { toRequest } from './request.ts';
import type { ParseParams } from './request.ts';
import type { ParseTool } from './tool-param.ts';

/** The partial value of a choice's reply. Follows its `content.delta`. */
export interface PartialEvent<Value> {
  readonly type: 'partial';
  readonly choice: number;
  /** Not validated. The same object is updated each time: copy it to keep it. */
  readonly partial: Value;
}

/** The partial arguments of a function call. Follows its `tool_call.delta`. */
export interface PartialArgumentsEvent {
  readonly type: 'tool_call.partial';
  readonly choice: number;
  readonly index: number;
  readonly name: string;
  /** Not validated. The same object is updated each time: copy it to keep it. */
  readonly partial: unknown;
}

export type ParsedStreamEvent<Value> = ChatStreamEvent | PartialEvent<Value> | PartialArgumentsEvent;

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
>(chat: ChatClient, params: ParseParams<S, T>, options?: CallOptions): ParsedStream<S, T> {
  type Value = DeepPartial<InferInput<S>>;
  const stream = chat.completions.stream(toRequest(params), options);
  const hasSchema = params.response_format !== undefined;
  return createParsedStream(
    stream,
    () => events<Value>(stream, hasSchema),
    (event) => (event.type === 'partial' && event.choice === 0 ? event.partial : undefined),
    (completion) => parseCompletion(params, completion),
  );
}

async function* events<Value>(
  stream: ChatStream,
  hasSchema: boolean,
): AsyncGenerator<ParsedStreamEvent<Value>, void, undefined> {
  const replies = new Map<number, Pick<PartialJson, 'push'>>();
  const calls = new Map<string, { readonly name: string; readonly reader: PartialJson }>();
  for await (const event of stream) {
    yield event;
    if (event.type === 'content.delta') {
      const { choice, delta } = event;
      const reader = replies.get(choice) ?? createReplyReader(hasSchema);
      replies.set(choice, reader);
      const partial = reader.push(delta);
      // Not validated: partial values can violate the schema.
      if (partial !== undefined) yield { type: 'partial', choice, partial: partial as Value };
    } else if (event.type === 'tool_call.delta') {
      const { choice, index, delta } = event;
      const key = `${choice} ${index}`;
      if (event.kind === 'custom') continue;
      if (event.name !== undefined && !calls.has(key))
        calls.set(key, { name: event.name, reader: createPartialJson() });
      const call = calls.get(key);
      const partial = delta === '' ? undefined : call?.reader.push(delta);
      if (call !== undefined && partial !== undefined) {
        yield { type: 'tool_call.partial', choice, index, name: call.name, partial };
      }
    }
  }
}
