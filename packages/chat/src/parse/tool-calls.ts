import type { ChatCompletionToolCall } from '@modelwire/schema/types';
import { parseJson } from '../schema/standard-schema.ts';
import type { InferOutput, SchemaIssue, StandardSchema } from '../schema/standard-schema.ts';
import type { CustomTool, FunctionTool, ParseTool } from '../tools/tool.ts';

interface AnyCall {
  readonly id: string;
  /** The unchanged call. */
  readonly call: ChatCompletionToolCall;
}

/** A function call with the arguments as the output of its schema. */
export interface ParsedFunctionCall<Name extends string = string, Arguments = unknown> extends AnyCall {
  readonly type: 'function';
  readonly name: Name;
  readonly arguments: Arguments;
}

export interface ParsedCustomCall<Name extends string = string> extends AnyCall {
  readonly type: 'custom';
  readonly name: Name;
  readonly input: string;
}

/** A call with arguments that are not JSON, or that the schema rejects. */
export interface InvalidCall extends AnyCall {
  readonly type: 'invalid';
  readonly name: string;
  readonly issues: readonly SchemaIssue[];
}

/** A call of a tool without a schema, or of a tool that is not in the request. */
export interface UnknownCall extends AnyCall {
  readonly type: 'unknown';
  readonly name: string;
}

/** A call of one of these tools. */
export type ParsedCallOf<T extends ParseTool> = KnownCallOf<T> | InvalidCall | UnknownCall;

type KnownCallOf<T extends ParseTool> = T extends {
  readonly name: infer Name extends string;
  readonly parameters: infer S extends StandardSchema;
}
  ? ParsedFunctionCall<Name, InferOutput<S>>
  : T extends { readonly name: infer Name extends string }
    ? ParsedCustomCall<Name>
    : never;

/** A call of any tool. */
export type ParsedCall = ParsedFunctionCall | ParsedCustomCall | InvalidCall | UnknownCall;

/** The tools with schemas and custom tools, by name. */
export function toolsByName(tools: readonly ParseTool[]): ReadonlyMap<string, FunctionTool | CustomTool> {
  return new Map(tools.flatMap((each) => ('name' in each ? [[each.name, each]] : [])));
}

export async function parseToolCall(
  call: ChatCompletionToolCall,
  tools: ReadonlyMap<string, FunctionTool | CustomTool>,
): Promise<ParsedCall> {
  const { id } = call;
  if (call.type === 'custom') {
    const { name, input } = call.custom;
    const known = tools.get(name);
    if (known === undefined || 'parameters' in known) return { type: 'unknown', id, name, call };
    return { type: 'custom', id, name, input, call };
  }
  const { name, arguments: text } = call.function;
  const known = tools.get(name);
  if (known === undefined || !('parameters' in known)) return { type: 'unknown', id, name, call };
  const result = await parseJson(known.parameters, text);
  if (result.issues) return { type: 'invalid', id, name, issues: result.issues, call };
  return { type: 'function', id, name, arguments: result.value, call };
}
