import { partialJson } from '@modelwire/core/partial-json';
import type { DeepPartial } from '@modelwire/core/partial-json';
import { parseJson, parseToolCall } from '@modelwire/core/internal/tools';
import type { InferInput, InferOutput, SchemaIssue, SchemaTool, StandardSchema } from '@modelwire/core/internal/tools';
import type { ChatCompletionChoice, ChatCompletionToolCall } from '@modelwire/schema/types';
import type { ParsedCall, ParsedCallOf } from './tool-calls.ts';
import type { ParseTool } from './tool-param.ts';

interface AnyOutcome {
  /** The unchanged choice. Its `index` is its position among those of `n`. */
  readonly choice: ChatCompletionChoice;
}

/** The reply as the output of the schema; without a schema, its text. */
export interface ParsedOutcome<Value> extends AnyOutcome {
  readonly type: 'parsed';
  readonly parsed: Value;
}

export interface ToolCallsOutcome<Call> extends AnyOutcome {
  readonly type: 'tool_calls';
  readonly calls: readonly Call[];
}

/** The model refused. */
export interface RefusalOutcome extends AnyOutcome {
  readonly type: 'refusal';
  readonly refusal: string;
}

/** Truncated by a token limit or a content filter. `partial` is the value so far: `undefined` if no value has started. */
export interface TruncatedOutcome<Partial> extends AnyOutcome {
  readonly type: 'length' | 'content_filter';
  readonly partial: Partial | undefined;
}

/** A reply that is not JSON, or that the schema rejects. */
export interface InvalidOutcome extends AnyOutcome {
  readonly type: 'invalid';
  readonly text: string;
  readonly issues: readonly SchemaIssue[];
}

/** The outcome of a choice, discriminated by `type`. */
export type Outcome<S extends StandardSchema = StandardSchema, T extends readonly ParseTool[] = readonly ParseTool[]> =
  | ParsedOutcome<InferOutput<S>>
  | ToolCallsOutcome<ParsedCallOf<T[number]>>
  | RefusalOutcome
  | TruncatedOutcome<DeepPartial<InferInput<S>>>
  | InvalidOutcome;

/** An outcome with any schema and tools. */
export type AnySchemaOutcome =
  ParsedOutcome<unknown> | ToolCallsOutcome<ParsedCall> | RefusalOutcome | TruncatedOutcome<unknown> | InvalidOutcome;

export async function toOutcome(
  choice: ChatCompletionChoice,
  schema: StandardSchema | undefined,
  tools: ReadonlyMap<string, SchemaTool>,
): Promise<AnySchemaOutcome> {
  const { finish_reason, message } = choice;
  const { refusal, tool_calls = [] } = message;
  const text = message.content ?? '';
  // A refusal takes precedence over the finish reason.
  if (refusal) return { type: 'refusal', refusal, choice };
  if (finish_reason === 'length' || finish_reason === 'content_filter') {
    const partial = schema === undefined ? text : partialJson(text);
    return { type: finish_reason === 'length' ? 'length' : 'content_filter', partial, choice };
  }
  // Not by finish_reason: a forced call of a named tool can end with `stop`.
  if (tool_calls.length > 0) {
    return {
      type: 'tool_calls',
      calls: await Promise.all(tool_calls.map((call) => parseCall(call, tools))),
      choice,
    };
  }
  if (schema === undefined) return { type: 'parsed', parsed: text, choice };
  const result = await parseJson(schema, text);
  if (result.issues) return { type: 'invalid', text, issues: result.issues, choice };
  return { type: 'parsed', parsed: result.value, choice };
}

async function parseCall(call: ChatCompletionToolCall, tools: ReadonlyMap<string, SchemaTool>): Promise<ParsedCall> {
  const { id } = call;
  return call.type === 'custom'
    ? parseToolCall({ id, type: 'custom', name: call.custom.name, text: call.custom.input, call }, tools)
    : parseToolCall({ id, type: 'function', name: call.function.name, text: call.function.arguments, call }, tools);
}
