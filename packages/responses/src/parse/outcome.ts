import { partialJson } from '@modelwire/core/partial-json';
import type { DeepPartial } from '@modelwire/core/partial-json';
import { parseJson, parseToolCall } from '@modelwire/core/internal/tools';
import type { InferInput, InferOutput, SchemaIssue, SchemaTool, StandardSchema } from '@modelwire/core/internal/tools';
import type { ResponseObject } from '@modelwire/schema/types';
import type { ModelResponse } from '../output-text.ts';
import type { ModelToolCall, ParsedCall, ParsedCallOf } from './tool-calls.ts';
import type { ParseTool } from './tool-param.ts';

/** The reply as the output of the schema; without a schema, its text. */
export interface ParsedOutcome<Value> {
  readonly type: 'parsed';
  readonly parsed: Value;
}

export interface ToolCallsOutcome<Call> {
  readonly type: 'tool_calls';
  readonly calls: readonly Call[];
}

/** The model refused. */
export interface RefusalOutcome {
  readonly type: 'refusal';
  readonly refusal: string;
}

/** Truncated by the token limit or a content filter. `partial` is the value so far: `undefined` if no value has started. */
export interface TruncatedOutcome<Partial> {
  readonly type: 'max_output_tokens' | 'content_filter';
  readonly partial: Partial | undefined;
}

/** A reply that is not JSON, or that the schema rejects. */
export interface InvalidOutcome {
  readonly type: 'invalid';
  readonly text: string;
  readonly issues: readonly SchemaIssue[];
}

/** The response failed or was cancelled. */
export interface FailedOutcome {
  readonly type: 'failed';
  readonly error: ResponseObject['error'];
}

/** The outcome of a response, discriminated by `type`. */
export type Outcome<S extends StandardSchema = StandardSchema, T extends readonly ParseTool[] = readonly ParseTool[]> =
  | ParsedOutcome<InferOutput<S>>
  | ToolCallsOutcome<ParsedCallOf<T[number]>>
  | RefusalOutcome
  | TruncatedOutcome<DeepPartial<InferInput<S>>>
  | InvalidOutcome
  | FailedOutcome;

/** An outcome with any schema and tools. */
export type AnySchemaOutcome =
  | ParsedOutcome<unknown>
  | ToolCallsOutcome<ParsedCall>
  | RefusalOutcome
  | TruncatedOutcome<unknown>
  | InvalidOutcome
  | FailedOutcome;

export async function toOutcome(
  { status, error, output, output_text: text, incomplete_details }: ModelResponse,
  schema: StandardSchema | undefined,
  tools: ReadonlyMap<string, SchemaTool>,
): Promise<AnySchemaOutcome> {
  if (status === 'failed' || status === 'cancelled') return { type: 'failed', error };
  const refusal = refusalOf(output);
  // A refusal takes precedence over a limit.
  if (refusal) return { type: 'refusal', refusal };
  if (status === 'incomplete') {
    const isFiltered = incomplete_details?.reason === 'content_filter';
    const partial = schema === undefined ? text : partialJson(text);
    return { type: isFiltered ? 'content_filter' : 'max_output_tokens', partial };
  }
  const calls = output.filter((item): item is ModelToolCall => /^(?:function|custom_tool)_call$/.test(item.type));
  if (calls.length > 0) {
    return { type: 'tool_calls', calls: await Promise.all(calls.map((call) => parseCall(call, tools))) };
  }
  if (schema === undefined) return { type: 'parsed', parsed: text };
  const result = await parseJson(schema, text);
  if (result.issues) return { type: 'invalid', text, issues: result.issues };
  return { type: 'parsed', parsed: result.value };
}

function refusalOf(output: ModelResponse['output']): string {
  return output
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map((part) => (part.type === 'refusal' ? part.refusal : ''))
    .join('');
}

async function parseCall(call: ModelToolCall, tools: ReadonlyMap<string, SchemaTool>): Promise<ParsedCall> {
  const { call_id: id, name } = call;
  return call.type === 'custom_tool_call'
    ? parseToolCall({ id, type: 'custom', name, text: call.input, call }, tools)
    : parseToolCall({ id, type: 'function', name, text: call.arguments, call }, tools);
}
