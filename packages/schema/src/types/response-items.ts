import type { Open } from './open.ts';
import type { ResponseHostedItem, ResponseInputItem } from './requests.ts';
import type { ResponseOutputContent, ResponseReasoningText, ResponseSummaryText } from './response-content.ts';

export type ResponseItemStatus = 'in_progress' | 'completed' | 'incomplete';

export interface ResponseOutputMessage {
  readonly type: 'message';
  readonly id: string;
  readonly role: 'assistant';
  readonly status: Open<ResponseItemStatus>;
  readonly content: readonly ResponseOutputContent[];
}

export interface ResponseFunctionCall {
  readonly type: 'function_call';
  readonly id: string;
  /** Names the call in its `function_call_output`. */
  readonly call_id: string;
  readonly name: string;
  /** The namespace of the tool, where it has one. */
  readonly namespace?: string;
  /** JSON text, which a model may have got wrong: parse with care. */
  readonly arguments: string;
  readonly status: Open<ResponseItemStatus>;
}

export interface ResponseCustomToolCall {
  readonly type: 'custom_tool_call';
  readonly id: string;
  /** Names the call in its `custom_tool_call_output`. */
  readonly call_id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly input: string;
  readonly status: Open<ResponseItemStatus>;
}

export interface ResponseReasoning {
  readonly type: 'reasoning';
  readonly id: string;
  readonly summary: readonly ResponseSummaryText[];
  readonly content?: readonly ResponseReasoningText[];
  /** Only with `include: ["reasoning.encrypted_content"]`. */
  readonly encrypted_content?: string;
  readonly status?: Open<ResponseItemStatus>;
}

export interface ResponseWebSearchCall {
  readonly type: 'web_search_call';
  readonly id: string;
  readonly status: Open<'in_progress' | 'searching' | 'completed' | 'failed'>;
  readonly action: {
    readonly type: 'search';
    readonly query: string;
    /** Only with `include: ["web_search_call.action.sources"]`. */
    readonly sources?: readonly { readonly type: 'url'; readonly url: string }[];
  };
}

export interface ResponseCompaction {
  readonly type: 'compaction';
  readonly id: string;
  readonly encrypted_content: string;
}

/** An item of a tool that an upstream with `/responses` runs. */
export type ResponseHostedOutputItem = ResponseHostedItem & { readonly id: string };

/** What a response can contain. */
export type ResponseOutputItem =
  | ResponseOutputMessage
  | ResponseFunctionCall
  | ResponseCustomToolCall
  | ResponseReasoning
  | ResponseWebSearchCall
  | ResponseCompaction
  | ResponseHostedOutputItem;

/** What a user says, or an instruction of the developer. */
export type ResponseInputMessage = Extract<ResponseInputItem, { role: 'user' | 'system' | 'developer' }>;
/** An earlier reply of the model. */
export type ResponseAssistantMessage = Extract<ResponseInputItem, { role: 'assistant' }>;
export type ResponseFunctionCallParam = Extract<ResponseInputItem, { type: 'function_call' }>;
export type ResponseFunctionCallOutput = Extract<ResponseInputItem, { type: 'function_call_output' }>;
export type ResponseCustomToolCallParam = Extract<ResponseInputItem, { type: 'custom_tool_call' }>;
export type ResponseCustomToolCallOutput = Extract<ResponseInputItem, { type: 'custom_tool_call_output' }>;
export type ResponseReasoningParam = Extract<ResponseInputItem, { type: 'reasoning' }>;
export type ResponseWebSearchCallParam = Extract<ResponseInputItem, { type: 'web_search_call' }>;
export type ResponseCompactionParam = Extract<ResponseInputItem, { type: 'compaction' }>;
export type ResponseAdditionalTools = Extract<ResponseInputItem, { type: 'additional_tools' }>;
export type ResponseItemReference = Extract<ResponseInputItem, { type: 'item_reference' }>;
