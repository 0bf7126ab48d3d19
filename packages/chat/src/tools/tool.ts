import type { ChatCompletionTool, CustomToolFormat, JsonSchemaObject } from '@modelwire/schema/types';
import { jsonSchemaOf } from '../schema/json-schema.ts';
import type { InferOutput, StandardSchema } from '../schema/standard-schema.ts';

/** What a running tool is given beside its arguments. */
export interface ToolContext {
  /** Says that nobody wants the result any more. */
  readonly signal: AbortSignal;
  readonly callId: string;
}

export interface FunctionTool<Name extends string = string, S extends StandardSchema = StandardSchema> {
  /** a-z, A-Z, 0-9, underscores and dashes; at most 64. */
  readonly name: Name;
  readonly description?: string;
  readonly parameters: S;
  /** Sent as it is. Needed where the schema cannot say it itself. */
  readonly jsonSchema?: JsonSchemaObject;
  /** Whether the model is held to the schema; true unless said. */
  readonly strict?: boolean;
  /** Its result is told to the model: text as it is, everything else as JSON. Only `runTools` runs it. */
  run?(args: InferOutput<S>, context: ToolContext): unknown;
}

/** A tool whose input is text of no JSON (interface: custom tools). */
export interface CustomTool<Name extends string = string> {
  readonly name: Name;
  readonly description?: string;
  /** What the model may write: any text unless said. */
  readonly format?: CustomToolFormat;
  run?(input: string, context: ToolContext): unknown;
}

/** Tools with schemas, tools of text, or tools as the interface has them, which are passed on. */
export type ParseTool = FunctionTool | CustomTool | ChatCompletionTool;
export type RunnableTool = (FunctionTool | CustomTool) & Required<Pick<FunctionTool, 'run'>>;

type Runnable<T extends { run?: unknown }> = T & Required<Pick<T, 'run'>>;

/** A function tool typed by the schema of its parameters. */
export function tool<Name extends string, S extends StandardSchema>(
  init: Runnable<FunctionTool<Name, S>>,
): Runnable<FunctionTool<Name, S>>;
export function tool<Name extends string, S extends StandardSchema>(init: FunctionTool<Name, S>): FunctionTool<Name, S>;
export function tool<Name extends string, S extends StandardSchema>(
  init: FunctionTool<Name, S>,
): FunctionTool<Name, S> {
  return init;
}

/** A custom tool: `run` is given the text that the model wrote. */
export function customTool<Name extends string>(init: Runnable<CustomTool<Name>>): Runnable<CustomTool<Name>>;
export function customTool<Name extends string>(init: CustomTool<Name>): CustomTool<Name>;
export function customTool<Name extends string>(init: CustomTool<Name>): CustomTool<Name> {
  return init;
}

/** A tool as the interface has it. */
export function toolParam(given: ParseTool): ChatCompletionTool {
  if (!('name' in given)) return given;
  const { name, description } = given;
  const named = { name, ...(description !== undefined && { description }) };
  if (!('parameters' in given)) {
    return { type: 'custom', custom: { ...named, ...(given.format !== undefined && { format: given.format }) } };
  }
  const { strict = true } = given;
  const parameters = jsonSchemaOf({ ...given, schema: given.parameters });
  return { type: 'function', function: { ...named, parameters, strict } };
}
