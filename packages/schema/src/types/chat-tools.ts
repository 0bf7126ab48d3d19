/** A JSON Schema, kept as it was given. */
export type JsonSchemaObject = Record<string, unknown>;

/** Deprecated `functions` item, and what `function` of a function tool extends. */
export interface FunctionDefinition {
  /** a-z, A-Z, 0-9, underscores and dashes; at most 64. */
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments; without it the function takes none. */
  readonly parameters?: JsonSchemaObject;
}

export interface StrictFunctionDefinition extends FunctionDefinition {
  /** Follow `parameters` exactly; false unless said. */
  readonly strict?: boolean | null;
}

export interface ChatCompletionFunctionTool {
  readonly type: 'function';
  readonly function: StrictFunctionDefinition;
}

export type GrammarSyntax = 'lark' | 'regex';

export interface CustomToolTextFormat {
  readonly type: 'text';
}

export interface CustomToolGrammarFormat {
  readonly type: 'grammar';
  readonly grammar: { readonly definition: string; readonly syntax: GrammarSyntax };
}

export type CustomToolFormat = CustomToolTextFormat | CustomToolGrammarFormat;

export interface ChatCompletionCustomTool {
  readonly type: 'custom';
  readonly custom: {
    readonly name: string;
    readonly description?: string;
    /** What the model may write as input; any text unless said. */
    readonly format?: CustomToolFormat;
  };
}

export type ChatCompletionTool = ChatCompletionFunctionTool | ChatCompletionCustomTool;

export interface NamedFunctionToolChoice {
  readonly type: 'function';
  readonly function: { readonly name: string };
}

export interface NamedCustomToolChoice {
  readonly type: 'custom';
  readonly custom: { readonly name: string };
}

export type NamedToolChoice = NamedFunctionToolChoice | NamedCustomToolChoice;

export interface AllowedToolsChoice {
  readonly type: 'allowed_tools';
  readonly allowed_tools: { readonly mode: 'auto' | 'required'; readonly tools: readonly NamedToolChoice[] };
}

export type ToolChoice = 'none' | 'auto' | 'required' | NamedToolChoice | AllowedToolsChoice;

/** Deprecated: `tool_choice` took its place. */
export type FunctionCallChoice = 'none' | 'auto' | { readonly name: string };

/** Deprecated single call of a function: `tool_calls` took its place. */
export interface FunctionCall {
  name: string;
  /** JSON text, which a model may have got wrong: parse with care. */
  arguments: string;
}

export interface ChatCompletionFunctionToolCall {
  id: string;
  type: 'function';
  function: FunctionCall;
}

export interface ChatCompletionCustomToolCall {
  id: string;
  type: 'custom';
  custom: { name: string; input: string };
}

export type ChatCompletionToolCall = ChatCompletionFunctionToolCall | ChatCompletionCustomToolCall;

export interface ResponseFormatText {
  readonly type: 'text';
}

export interface ResponseFormatJsonObject {
  readonly type: 'json_object';
}

export interface ResponseFormatJsonSchema {
  readonly type: 'json_schema';
  readonly json_schema: {
    /** a-z, A-Z, 0-9, underscores and dashes; at most 64. */
    readonly name: string;
    readonly description?: string;
    readonly schema?: JsonSchemaObject;
    readonly strict?: boolean | null;
  };
}

export type ResponseFormat = ResponseFormatText | ResponseFormatJsonObject | ResponseFormatJsonSchema;
