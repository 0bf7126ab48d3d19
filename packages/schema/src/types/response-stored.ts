import type { List } from './paging.ts';
import type { ResponseInputItem } from './requests.ts';
import type { ResponseItemReference, ResponseOutputItem } from './response-items.ts';
import type { ResponseUsage } from './response.ts';

/** An item of a stored response or conversation: of the input or of the output, with its ID. */
export type ResponseItem = (Exclude<ResponseInputItem, ResponseItemReference> | ResponseOutputItem) & {
  readonly id: string;
};

export type ResponseItemList = List<ResponseItem>;

export interface ResponseDeleted {
  id: string;
  object: 'response';
  deleted: boolean;
}

export interface ResponseInputTokens {
  object: 'response.input_tokens';
  input_tokens: number;
}

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
