import type { ChatCompletionChoice } from '@modelwire/schema/types';
import { partialJson } from '../json/partial-json.ts';
import type { DeepPartial } from '../json/partial-json.ts';
import { readJson } from '../schema/standard-schema.ts';
import type { InferInput, InferOutput, SchemaIssue, StandardSchema } from '../schema/standard-schema.ts';
import type { CustomTool, FunctionTool, ParseTool } from '../tools/tool.ts';
import { readCall } from './tool-calls.ts';
import type { ParsedCall, ParsedCallOf } from './tool-calls.ts';

interface AnyOutcome {
  /** The choice as it came; its `index` is its place among those of `n`. */
  readonly choice: ChatCompletionChoice;
}

/** The answer, as the schema gives it; without a schema its text. */
export interface ParsedOutcome<Value> extends AnyOutcome {
  readonly type: 'parsed';
  readonly parsed: Value;
}

export interface ToolCallsOutcome<Call> extends AnyOutcome {
  readonly type: 'tool_calls';
  readonly calls: readonly Call[];
}

/** The model would not. */
export interface RefusalOutcome extends AnyOutcome {
  readonly type: 'refusal';
  readonly refusal: string;
}

/** Cut by a limit of tokens, or by a filter. `partial` is what came: `undefined` if no value began. */
export interface CutOutcome<Partial> extends AnyOutcome {
  readonly type: 'length' | 'content_filter';
  readonly partial: Partial | undefined;
}

/** An answer that is no JSON, or not what the schema takes. */
export interface InvalidOutcome extends AnyOutcome {
  readonly type: 'invalid';
  readonly text: string;
  readonly issues: readonly SchemaIssue[];
}

/** What a choice came to, told apart by `type`. */
export type Outcome<S extends StandardSchema = StandardSchema, T extends readonly ParseTool[] = readonly ParseTool[]> =
  | ParsedOutcome<InferOutput<S>>
  | ToolCallsOutcome<ParsedCallOf<T[number]>>
  | RefusalOutcome
  | CutOutcome<DeepPartial<InferInput<S>>>
  | InvalidOutcome;

/** An outcome of whatever schema and tools. */
export type AnySchemaOutcome =
  ParsedOutcome<unknown> | ToolCallsOutcome<ParsedCall> | RefusalOutcome | CutOutcome<unknown> | InvalidOutcome;

export async function readOutcome(
  choice: ChatCompletionChoice,
  schema: StandardSchema | undefined,
  tools: ReadonlyMap<string, FunctionTool | CustomTool>,
): Promise<AnySchemaOutcome> {
  const { finish_reason, message } = choice;
  const { refusal, tool_calls = [] } = message;
  const text = message.content ?? '';
  // A refusal is one however it ended.
  if (refusal) return { type: 'refusal', refusal, choice };
  if (finish_reason === 'length' || finish_reason === 'content_filter') {
    const partial = schema === undefined ? text : partialJson(text);
    return { type: finish_reason === 'length' ? 'length' : 'content_filter', partial, choice };
  }
  // Not by finish_reason: a call that was asked for by name may end with `stop`.
  if (tool_calls.length > 0) {
    return { type: 'tool_calls', calls: await Promise.all(tool_calls.map((call) => readCall(call, tools))), choice };
  }
  if (schema === undefined) return { type: 'parsed', parsed: text, choice };
  const result = await readJson(schema, text);
  if (result.issues) return { type: 'invalid', text, issues: result.issues, choice };
  return { type: 'parsed', parsed: result.value, choice };
}
