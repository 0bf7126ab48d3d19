import type { ResponseItem, ResponseObject } from '@modelwire/schema/types';
import type { EventSegment } from './event-stream-store.ts';
import type { Lease } from './job-store.ts';
import type { Page, PageQuery } from './page.ts';
import type { StorageLimit } from './storage-limit.ts';
import type { StoredRequest } from './stored-request.ts';

/** An item of the input or output of a stored response, or of a conversation. */
export type StoredItem = ResponseItem;

export type StoredResponse = ResponseObject;

export type StoredResponseStatus = StoredResponse['status'];

export interface ResponseRecord {
  readonly response: StoredResponse;
  /** Whether it has a stream of events, with its ID. */
  readonly isStreamed: boolean;
  /** The request of a background response. It is removed when the response ends; undefined for one that did not run in the background. */
  readonly work: StoredRequest | undefined;
}

/** The history that a response continues: of each response of the chain its input, then its output, oldest first. */
export interface ResponseChain {
  /** Status of the requested response. */
  readonly status: StoredResponseStatus;
  readonly items: readonly StoredItem[];
}

/** Why a chain cannot be used: a response of it does not exist (any more), or it is longer than the limits. */
export type ResponseChainFailure =
  { readonly failure: 'not_found'; readonly id: string } | { readonly failure: 'too_long' };

export interface ChainLimits {
  readonly maxResponses: number;
  /** UTF-16 code units of the items as JSON. */
  readonly maxLength: number;
}

/**
 * Responses of one project. No method reads or changes those of another project. Each response stores its own input and output only. A chain is
 * read along `previous_response_id`, so that storing a turn only writes its new items.
 */
export interface ResponseStore {
  /**
   * Stores a response that has ended, or with `work` a background response and its job of kind `response`, due immediately. `input`: the new
   * input of this turn. `segment`: the first events of its stream. `conversation`: the conversation to which input and output are appended in
   * the same commit; one that no longer exists is ignored. Durable when it resolves.
   *
   * @throws {StorageLimitError} if the project would exceed its limit; then nothing is stored.
   */
  create(
    record: ResponseRecord & {
      readonly input: readonly StoredItem[];
      readonly segment?: EventSegment | undefined;
      readonly conversation?: string | undefined;
    },
    limit?: StorageLimit,
  ): Promise<void>;
  get(id: string): Promise<ResponseRecord | undefined>;
  /** The response's own input, in the order of the request; `desc` reverses it. Undefined when the response or the item `after` does not exist. */
  inputItems(id: string, query: PageQuery): Promise<Page<StoredItem> | undefined>;
  /** The items of the response and of all responses before it. */
  chain(id: string, limits: ChainLimits): Promise<ResponseChain | ResponseChainFailure>;
  /** Items of any response or conversation of the project, by ID. Of several with one ID the newest. Unknown IDs are left out. */
  findItems(ids: readonly string[]): Promise<readonly StoredItem[]>;
  /** Stores the response while it runs, and new events. Called by the worker. Returns false when the lease was lost. */
  update(
    response: StoredResponse,
    init: { readonly lease: Lease; readonly segment?: EventSegment | undefined },
  ): Promise<boolean>;
  /** Ends a background response and its stream: stores it, its last events and its output, appends to the conversation and removes the job, in one commit. Returns false when the lease was lost. */
  end(
    response: StoredResponse,
    init: {
      readonly lease: Lease;
      readonly segment?: EventSegment | undefined;
      readonly conversation?: string | undefined;
    },
  ): Promise<boolean>;
  /** Sets the status `cancelled`, ends the stream and removes the job, in one commit. Returns false when the response is not queued or in progress. */
  cancel(id: string): Promise<boolean>;
  /** Deletes the response with its items, stream and job. Returns false when it does not exist. */
  delete(id: string): Promise<boolean>;
}
