import type {
  ResponseCustomTool,
  ResponseHostedTool,
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

/** A tool in a response. */
export type ResponseShownTool =
  ResponseShownFunctionTool | ResponseCustomTool | ResponseNamespaceTool | ResponseWebSearchTool | ResponseHostedTool;

export type ResponseAllowedTools = Extract<ResponseToolChoice, { type: 'allowed_tools' }>;

/** One of the tools of `allowed_tools`. */
export type ResponseNamedChoice = ResponseAllowedTools['tools'][number];
