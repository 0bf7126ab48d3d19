import { parseJson } from './standard-schema.ts';
import type { InferOutput, SchemaIssue, StandardSchema } from './standard-schema.ts';
import type { SchemaTool } from './tool.ts';

interface AnyCall<Source> {
  readonly id: string;
  /** The unchanged call. */
  readonly call: Source;
}

/** A function call with the arguments as the output of its schema. */
export interface ParsedFunctionCall<Source, Name extends string = string, Arguments = unknown> extends AnyCall<Source> {
  readonly type: 'function';
  readonly name: Name;
  readonly arguments: Arguments;
}

export interface ParsedCustomCall<Source, Name extends string = string> extends AnyCall<Source> {
  readonly type: 'custom';
  readonly name: Name;
  readonly input: string;
}

/** A call with arguments that are not JSON, or that the schema rejects. */
export interface InvalidCall<Source> extends AnyCall<Source> {
  readonly type: 'invalid';
  readonly name: string;
  readonly issues: readonly SchemaIssue[];
}

/** A call of a tool without a schema, or of a tool that is not in the request. */
export interface UnknownCall<Source> extends AnyCall<Source> {
  readonly type: 'unknown';
  readonly name: string;
}

/** A call of one of these tools. */
export type ParsedCallOf<Source, Tool> = KnownCallOf<Source, Tool> | InvalidCall<Source> | UnknownCall<Source>;

type KnownCallOf<Source, Tool> = Tool extends {
  readonly name: infer Name extends string;
  readonly parameters: infer S extends StandardSchema;
}
  ? ParsedFunctionCall<Source, Name, InferOutput<S>>
  : Tool extends { readonly name: infer Name extends string }
    ? ParsedCustomCall<Source, Name>
    : never;

/** A call of any tool. */
export type ParsedCall<Source> =
  ParsedFunctionCall<Source> | ParsedCustomCall<Source> | InvalidCall<Source> | UnknownCall<Source>;

/** A call as the model made it. `text` are the arguments of a function, or the input of a custom tool. */
export interface ToolCallInit<Source> extends AnyCall<Source> {
  readonly type: 'function' | 'custom';
  readonly name: string;
  readonly text: string;
}

export async function parseToolCall<Source>(
  { id, type, name, text, call }: ToolCallInit<Source>,
  tools: ReadonlyMap<string, SchemaTool>,
): Promise<ParsedCall<Source>> {
  const known = tools.get(name);
  const isFunction = type === 'function';
  if (known === undefined || 'parameters' in known !== isFunction) return { type: 'unknown', id, name, call };
  if (!('parameters' in known)) return { type: 'custom', id, name, input: text, call };
  const result = await parseJson(known.parameters, text);
  if (result.issues) return { type: 'invalid', id, name, issues: result.issues, call };
  return { type: 'function', id, name, arguments: result.value, call };
}
