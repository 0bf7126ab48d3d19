import type {
  ResponseInputContent,
  ResponseInputText,
  ResponseOutputContent,
  ResponseReasoningText,
  ResponseRefusal,
  ResponseSummaryText,
} from './response-content.ts';
import type { Open } from './open.ts';
import type { ResponseTool } from './response-tools.ts';

export type ResponseItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** What a user says, or an instruction of the developer. */
export type ResponseInputMessage =
  ResponseInputMessageOf<'user'> | ResponseInputMessageOf<'system'> | ResponseInputMessageOf<'developer'>;

interface ResponseInputMessageOf<Role extends string> {
  readonly type?: 'message';
  readonly role: Role;
  readonly content: string | readonly ResponseInputContent[];
  readonly id?: string;
  readonly status?: string;
}

/** Text of an earlier response, as it is sent back: clients leave out fields. */
export interface ResponseOutputTextParam {
  readonly type: 'output_text';
  readonly text: string;
  readonly annotations?: readonly unknown[];
  readonly logprobs?: readonly unknown[];
}

/** An earlier reply of the model. */
export interface ResponseAssistantMessage {
  readonly type?: 'message';
  readonly role: 'assistant';
  readonly content: string | readonly (ResponseOutputTextParam | ResponseRefusal | ResponseInputText)[];
  readonly id?: string;
  readonly status?: string;
  readonly phase?: 'commentary' | 'final_answer';
}

export interface ResponseFunctionCallParam {
  readonly type: 'function_call';
  readonly call_id: string;
  readonly name: string;
  readonly namespace?: string;
  /** JSON text. */
  readonly arguments: string;
  readonly id?: string;
  readonly status?: string;
}

export interface ResponseFunctionCallOutput {
  readonly type: 'function_call_output';
  readonly call_id: string;
  readonly output: string | readonly ResponseInputContent[];
  readonly id?: string;
  readonly status?: string;
}

export interface ResponseCustomToolCallParam {
  readonly type: 'custom_tool_call';
  readonly call_id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly input: string;
  readonly id?: string;
  readonly status?: string;
}

export interface ResponseCustomToolCallOutput {
  readonly type: 'custom_tool_call_output';
  readonly call_id: string;
  readonly output: string | readonly ResponseInputContent[];
  readonly id?: string;
  readonly status?: string;
}

export interface ResponseReasoningParam {
  readonly type: 'reasoning';
  readonly id?: string;
  readonly summary?: readonly ResponseSummaryText[];
  readonly content?: readonly ResponseReasoningText[];
  readonly encrypted_content?: string;
  readonly status?: string;
}

/** A search of an earlier response. */
export interface ResponseWebSearchCallParam {
  readonly type: 'web_search_call';
  readonly id?: string;
  readonly status?: string;
}

/** The compacted beginning of a conversation, passed back as it came. */
export interface ResponseCompactionParam {
  readonly type: 'compaction';
  readonly id?: string;
  readonly encrypted_content: string;
}

/** Tools that are available from here on. */
export interface ResponseAdditionalTools {
  readonly type: 'additional_tools';
  readonly tools: readonly ResponseTool[];
  readonly id?: string;
}

/** Stands for an item that the server stored. */
export interface ResponseItemReference {
  /** May be left out. */
  readonly type: 'item_reference';
  readonly id: string;
}

export type ResponseInputItem =
  | ResponseInputMessage
  | ResponseAssistantMessage
  | ResponseFunctionCallParam
  | ResponseFunctionCallOutput
  | ResponseCustomToolCallParam
  | ResponseCustomToolCallOutput
  | ResponseReasoningParam
  | ResponseWebSearchCallParam
  | ResponseCompactionParam
  | ResponseAdditionalTools
  | ResponseItemReference;

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

/** What a response can contain. */
export type ResponseOutputItem =
  | ResponseOutputMessage
  | ResponseFunctionCall
  | ResponseCustomToolCall
  | ResponseReasoning
  | ResponseWebSearchCall
  | ResponseCompaction;
