/** Deprecated single call of a function. Replaced by `tool_calls`. */
export interface FunctionCall {
  name: string;
  /** JSON as the model wrote it, which can be invalid: check it before use. */
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
