import type {
  ResponseCustomTool,
  ResponseNamespaceTool,
  ResponseToolChoice,
  ResponseWebSearchTool,
} from './requests.ts';

/** A function in a response: what was not set is null. */
export interface ResponseShownFunctionTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string | null;
  readonly parameters: Record<string, unknown> | null;
  readonly strict: boolean | null;
}

/** A tool of a hosted service in a response. Newer servers may have tools of other types. */
export interface ResponseOtherTool {
  readonly type: string;
}

/** A tool in a response. */
export type ResponseShownTool =
  ResponseShownFunctionTool | ResponseCustomTool | ResponseNamespaceTool | ResponseWebSearchTool | ResponseOtherTool;

export type ResponseAllowedTools = Extract<ResponseToolChoice, { type: 'allowed_tools' }>;

/** One of the tools of `allowed_tools`. */
export type ResponseNamedChoice = ResponseAllowedTools['tools'][number];
