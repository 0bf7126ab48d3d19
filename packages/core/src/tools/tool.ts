import type { JsonSchema } from './json-schema.ts';
import type { InferOutput, StandardSchema } from './standard-schema.ts';

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
  readonly jsonSchema?: JsonSchema;
  /** Whether the server enforces the schema. Default true. */
  readonly strict?: boolean;
  /** Its result is sent to the model: a string unchanged, everything else as JSON. Only `runTools` calls it. */
  run?(args: InferOutput<S>, context: ToolContext): unknown;
}

/** The input of a custom tool: any text, or text of a grammar. */
export type CustomToolInputFormat =
  | { readonly type: 'text' }
  | {
      readonly type: 'grammar';
      readonly grammar: { readonly syntax: 'lark' | 'regex'; readonly definition: string };
    };

/** A tool whose input is free text (API: Tools, custom). */
export interface CustomTool<Name extends string = string> {
  readonly name: Name;
  readonly description?: string;
  /** The format of the input. Default: unconstrained text. */
  readonly format?: CustomToolInputFormat;
  run?(input: string, context: ToolContext): unknown;
}

/** A function tool with a schema, or a custom tool. */
export type SchemaTool = FunctionTool | CustomTool;

export type RunnableTool = SchemaTool & Required<Pick<FunctionTool, 'run'>>;

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

/** False for a tool of the API, which has a `type`. */
export function isSchemaTool(source: SchemaTool | { readonly type: string }): source is SchemaTool {
  return !('type' in source);
}

/** The tools with schemas and custom tools, by name. */
export function toolsByName(
  tools: readonly (SchemaTool | { readonly type: string })[],
): ReadonlyMap<string, SchemaTool> {
  return new Map(tools.flatMap((each) => (isSchemaTool(each) ? [[each.name, each]] : [])));
}
