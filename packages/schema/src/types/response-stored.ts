import type { List, OrderedListParams } from './paging.ts';
import type { ResponseInputItem, ResponseItemReference, ResponseOutputItem } from './response-items.ts';
import type { ResponseCreateParamsBase, ResponseInclude } from './response-request.ts';
import type { Open } from './open.ts';
import type { ResponseUsage } from './response.ts';

/** An item of a stored response or conversation: of the input or of the output, with its id. */
export type ResponseItem = (Exclude<ResponseInputItem, ResponseItemReference> | ResponseOutputItem) & {
  readonly id: string;
};

/** Query of Retrieve response. */
export interface ResponseRetrieveParams {
  /** Unknown values have no effect: an item is returned as it was stored. */
  readonly include?: readonly Open<ResponseInclude>[];
  /** Streams the events of a background response that was created with `stream`, also while it runs. */
  readonly stream?: boolean;
  /** Only events with a greater sequence number. */
  readonly starting_after?: number;
  /** Default true. */
  readonly include_obfuscation?: boolean;
}

/** Query of List input items, and of List items of a conversation. */
export interface ResponseItemListParams extends OrderedListParams {
  readonly include?: readonly Open<ResponseInclude>[];
}

export type ResponseItemList = List<ResponseItem>;

export interface ResponseDeleted {
  id: string;
  object: 'response';
  deleted: boolean;
}

/** Body of Count input tokens. */
export type ResponseInputTokensParams = Partial<
  Pick<
    ResponseCreateParamsBase,
    | 'model'
    | 'input'
    | 'instructions'
    | 'previous_response_id'
    | 'conversation'
    | 'parallel_tool_calls'
    | 'reasoning'
    | 'text'
    | 'tools'
    | 'tool_choice'
    | 'truncation'
  >
> & { readonly personality?: string };

export interface ResponseInputTokens {
  object: 'response.input_tokens';
  input_tokens: number;
}

/** Body of Compact response. */
export type ResponseCompactParams = Pick<
  ResponseCreateParamsBase,
  | 'model'
  | 'input'
  | 'instructions'
  | 'previous_response_id'
  | 'prompt_cache_key'
  | 'prompt_cache_retention'
  | 'service_tier'
>;

/** The input to use instead of what was compacted. */
export interface CompactedResponse {
  id: string;
  object: 'response.compaction';
  /** Unix seconds. */
  created_at: number;
  /** The messages of the user, then one item with the summary. */
  output: readonly ResponseItem[];
  usage: ResponseUsage;
}
