import type {
  ResponseLogprob,
  ResponseOutputContent,
  ResponseReasoningText,
  ResponseSummaryText,
  ResponseUrlCitation,
} from './response-content.ts';
import type { ResponseOutputItem } from './response-items.ts';
import type { ResponseObject } from './response.ts';

interface Sequenced {
  /** 0 for the first event of a response, then one more for each. */
  readonly sequence_number: number;
}

interface OfItem extends Sequenced {
  readonly output_index: number;
  readonly item_id: string;
}

interface OfPart extends OfItem {
  readonly content_index: number;
}

interface OfSummary extends OfItem {
  readonly summary_index: number;
}

interface Delta {
  /** The next characters. */
  readonly delta: string;
  /** Random characters that pad the event. */
  readonly obfuscation?: string;
}

/** The response as a whole, when it begins and when it ends. */
export interface ResponseLifecycleEvent extends Sequenced {
  readonly type:
    | 'response.created'
    | 'response.queued'
    | 'response.in_progress'
    | 'response.completed'
    | 'response.incomplete'
    | 'response.failed';
  readonly response: ResponseObject;
}

/** An item begins, or is complete. */
export interface ResponseOutputItemEvent extends Sequenced {
  readonly type: 'response.output_item.added' | 'response.output_item.done';
  readonly output_index: number;
  readonly item: ResponseOutputItem;
}

/** A part of an item begins, or is complete. */
export interface ResponseContentPartEvent extends OfPart {
  readonly type: 'response.content_part.added' | 'response.content_part.done';
  readonly part: ResponseOutputContent | ResponseReasoningText;
}

export interface ResponseTextDeltaEvent extends OfPart, Delta {
  readonly type: 'response.output_text.delta';
  readonly logprobs: readonly ResponseLogprob[];
}

export interface ResponseTextDoneEvent extends OfPart {
  readonly type: 'response.output_text.done';
  readonly text: string;
  readonly logprobs: readonly ResponseLogprob[];
}

export interface ResponseAnnotationAddedEvent extends OfPart {
  readonly type: 'response.output_text.annotation.added';
  readonly annotation_index: number;
  readonly annotation: ResponseUrlCitation;
}

export interface ResponseRefusalDeltaEvent extends OfPart, Delta {
  readonly type: 'response.refusal.delta';
}

export interface ResponseRefusalDoneEvent extends OfPart {
  readonly type: 'response.refusal.done';
  readonly refusal: string;
}

export interface ResponseFunctionCallArgumentsDeltaEvent extends OfItem, Delta {
  readonly type: 'response.function_call_arguments.delta';
}

export interface ResponseFunctionCallArgumentsDoneEvent extends OfItem {
  readonly type: 'response.function_call_arguments.done';
  readonly name: string;
  readonly arguments: string;
}

export interface ResponseCustomToolCallInputDeltaEvent extends OfItem, Delta {
  readonly type: 'response.custom_tool_call_input.delta';
}

export interface ResponseCustomToolCallInputDoneEvent extends OfItem {
  readonly type: 'response.custom_tool_call_input.done';
  readonly input: string;
}

export interface ResponseReasoningTextDeltaEvent extends OfPart, Delta {
  readonly type: 'response.reasoning_text.delta';
}

export interface ResponseReasoningTextDoneEvent extends OfPart {
  readonly type: 'response.reasoning_text.done';
  readonly text: string;
}

export interface ResponseReasoningSummaryPartEvent extends OfSummary {
  readonly type: 'response.reasoning_summary_part.added' | 'response.reasoning_summary_part.done';
  readonly part: ResponseSummaryText;
}

export interface ResponseReasoningSummaryTextDeltaEvent extends OfSummary, Delta {
  readonly type: 'response.reasoning_summary_text.delta';
}

export interface ResponseReasoningSummaryTextDoneEvent extends OfSummary {
  readonly type: 'response.reasoning_summary_text.done';
  readonly text: string;
}

export interface ResponseWebSearchCallEvent extends OfItem {
  readonly type:
    | 'response.web_search_call.in_progress'
    | 'response.web_search_call.searching'
    | 'response.web_search_call.completed';
}

/** The response failed; `response.failed` follows. The same facts are in `error`, where hosted services have them. */
export interface ResponseErrorEvent extends Sequenced {
  readonly type: 'error';
  readonly code: string | null;
  readonly message: string;
  readonly param: string | null;
  readonly error: {
    readonly type: string;
    readonly code: string | null;
    readonly message: string;
    readonly param: string | null;
  };
}

/** One event of a streamed response. */
export type ResponseStreamEvent =
  | ResponseLifecycleEvent
  | ResponseOutputItemEvent
  | ResponseContentPartEvent
  | ResponseTextDeltaEvent
  | ResponseTextDoneEvent
  | ResponseAnnotationAddedEvent
  | ResponseRefusalDeltaEvent
  | ResponseRefusalDoneEvent
  | ResponseFunctionCallArgumentsDeltaEvent
  | ResponseFunctionCallArgumentsDoneEvent
  | ResponseCustomToolCallInputDeltaEvent
  | ResponseCustomToolCallInputDoneEvent
  | ResponseReasoningTextDeltaEvent
  | ResponseReasoningTextDoneEvent
  | ResponseReasoningSummaryPartEvent
  | ResponseReasoningSummaryTextDeltaEvent
  | ResponseReasoningSummaryTextDoneEvent
  | ResponseWebSearchCallEvent
  | ResponseErrorEvent;
