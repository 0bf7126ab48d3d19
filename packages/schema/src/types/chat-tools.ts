import type {
  ChatCompletionFunctionTool,
  CustomToolFormat,
  NamedCustomToolChoice,
  NamedFunctionToolChoice,
  ResponseFormat,
  ToolChoice,
} from './requests.ts';

/** A JSON Schema, unchanged. */
export type JsonSchemaObject = Record<string, unknown>;

/** A function with `strict`. */
export type StrictFunctionDefinition = ChatCompletionFunctionTool['function'];

export type CustomToolTextFormat = Extract<CustomToolFormat, { type: 'text' }>;

export type CustomToolGrammarFormat = Extract<CustomToolFormat, { type: 'grammar' }>;

export type GrammarSyntax = CustomToolGrammarFormat['grammar']['syntax'];

export type NamedToolChoice = NamedFunctionToolChoice | NamedCustomToolChoice;

export type AllowedToolsChoice = Extract<ToolChoice, { type: 'allowed_tools' }>;

export type ResponseFormatText = Extract<ResponseFormat, { type: 'text' }>;

export type ResponseFormatJsonObject = Extract<ResponseFormat, { type: 'json_object' }>;

export type ResponseFormatJsonSchema = Extract<ResponseFormat, { type: 'json_schema' }>;
