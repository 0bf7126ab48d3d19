import type { ChatCompletionStoredMessage, Metadata, StoredChatCompletion } from '@modelwire/schema/types';
import type { Page, PageQuery } from './page.ts';

/** A stored completion. A `seed` beyond what a number holds exactly is kept as its digits. */
export type StoredCompletion = Omit<StoredChatCompletion, 'seed'> & { seed?: number | string | null };

/** What a completion created with `store: true` leaves behind. `messages` are those of the request, each with its id. */
export interface CompletionRecord {
  /** `id` is unique over all projects; `created` orders the list; `metadata` is `{}` where none was given. */
  readonly completion: StoredCompletion & { readonly metadata: Metadata };
  readonly messages: readonly ChatCompletionStoredMessage[];
}

export interface CompletionQuery extends PageQuery {
  readonly model?: string | undefined;
  /** Only completions that carry all of these pairs. Keys and values are any text, NUL included. */
  readonly metadata?: Readonly<Metadata> | undefined;
  /** Only completions created at this time or later, in Unix seconds. */
  readonly createdFrom?: number | undefined;
  /** Only completions created before this time, in Unix seconds. */
  readonly createdBefore?: number | undefined;
}

/**
 * Stored completions of one project: no call sees or touches another project's.
 */
export interface CompletionStore {
  /** When it resolves, the record exists whole, also after a crash. When it rejects, nothing of it does. */
  append(record: CompletionRecord): Promise<void>;
  /**
   * Sorted by `created`, then by the order they were appended; `desc` reverses both. Walking the pages by `after` sees every
   * completion that was there at the start exactly once, while others are added, and those that are left while some are removed.
   * Undefined when there is no completion `after`, and was none within the last day.
   */
  list(query: CompletionQuery): Promise<Page<StoredCompletion> | undefined>;
  /** The same page as `list`, each completion as `summarizeCompletion` returns it. Does not read what it leaves out. */
  listSummaries(query: CompletionQuery): Promise<Page<StoredCompletion> | undefined>;
  get(id: string): Promise<StoredCompletion | undefined>;
  /** Replaces all pairs, and what a filter finds with them, at once. Gives the completion as it is then. */
  setMetadata(id: string, metadata: Readonly<Metadata>): Promise<StoredCompletion | undefined>;
  /** With its messages. False when there was none. */
  delete(id: string): Promise<boolean>;
  /** In the order of the request; `desc` reverses it. Undefined when there is no completion `id` or no message `after`. */
  messages(id: string, query: PageQuery): Promise<Page<ChatCompletionStoredMessage> | undefined>;
}
