import type { ChatCompletionTool, CustomToolFormat, JsonSchemaObject } from '@modelwire/schema/types';
import { jsonSchemaOf } from '../schema/json-schema.ts';
import type { InferOutput, StandardSchema } from '../schema/standard-schema.ts';

/** The second argument of a tool's `run`. */
export interface ToolContext {
  /** Aborts when the result is no longer needed. */
  readonly signal: AbortSignal;
  readonly callId: string;
}

export interface FunctionTool<Name extends string = string, S extends StandardSchema = StandardSchema> {
  /** a-z, A-Z, 0-9, underscores and dashes; at most 64. */
  readonly name: Name;
  readonly description?: string;
  readonly parameters: S;
  /** The JSON Schema to send. Required if the library of the schema cannot generate it. */
  readonly jsonSchema?: JsonSchemaObject;
  /** Whether the server enforces the schema. Default true. */
  readonly strict?: boolean;
  /** Its result is sent to the model: a string unchanged, everything else as JSON. Only `runTools` calls it. */
  run?(args: InferOutput<S>, context: ToolContext): unknown;
}

/** A tool whose input is free text (interface: Tools, custom). */
export interface CustomTool<Name extends string = string> {
  readonly name: Name;
  readonly description?: string;
  /** The format of the input. Default: unconstrained text. */
  readonly format?: CustomToolFormat;
  run?(input: string, context: ToolContext): unknown;
}

/** A function tool with a schema, a custom tool, or a tool of the interface, which is sent unchanged. */
export type ParseTool = FunctionTool | CustomTool | ChatCompletionTool;
export type RunnableTool = (FunctionTool | CustomTool) & Required<Pick<FunctionTool, 'run'>>;

type Runnable<T extends { run?: unknown }> = T & Required<Pick<T, 'run'>>;

/** Defines a function tool, typed by the schema of its parameters. */
export function tool<Name extends string, S extends StandardSchema>(
  init: Runnable<FunctionTool<Name, S>>,
): Runnable<FunctionTool<Name, S>>;
export function tool<Name extends string, S extends StandardSchema>(init: FunctionTool<Name, S>): FunctionTool<Name, S>;
export function tool<Name extends string, S extends StandardSchema>(
  init: FunctionTool<Name, S>,
): FunctionTool<Name, S> {
  return init;
}

/** Defines a custom tool: `run` receives the text that the model wrote. */
export function customTool<Name extends string>(init: Runnable<CustomTool<Name>>): Runnable<CustomTool<Name>>;
export function customTool<Name extends string>(init: CustomTool<Name>): CustomTool<Name>;
export function customTool<Name extends string>(init: CustomTool<Name>): CustomTool<Name> {
  return init;
}

/** Converts a tool to the tool of the interface. */
export function toToolParam(source: ParseTool): ChatCompletionTool {
  if (!('name' in source)) return source;
  const { name, description } = source;
  const named = { name, ...(description !== undefined && { description }) };
  if (!('parameters' in source)) {
    return { type: 'custom', custom: { ...named, ...(source.format !== undefined && { format: source.format }) } };
  }
  const { strict = true } = source;
  const parameters = jsonSchemaOf({ ...source, schema: source.parameters });
  return { type: 'function', function: { ...named, parameters, strict } };
}
