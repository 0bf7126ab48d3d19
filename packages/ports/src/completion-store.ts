import type { ChatCompletionStoredMessage, Metadata, StoredChatCompletion } from '@modelwire/schema/types';
import type { Page, PageQuery } from './page.ts';
import type { StorageLimit } from './storage-limit.ts';

/** A stored completion. A `seed` beyond what a number holds exactly is kept as its digits. */
export type StoredCompletion = Omit<StoredChatCompletion, 'seed'> & { seed?: number | string | null };

/** A completion that was created with `store: true`. `messages` are those of the request, each with its ID. */
export interface CompletionRecord {
  /** `id` is unique across all projects; `created` is the sort key; `metadata` is `{}` if there is none. */
  readonly completion: StoredCompletion & { readonly metadata: Metadata };
  readonly messages: readonly ChatCompletionStoredMessage[];
}

/** Words that follow each other in one text. */
export interface SearchTerm {
  /** At least one. */
  readonly words: readonly string[];
  /** Whether the last word can be the start of a longer one. */
  readonly isPrefix: boolean;
}

export interface CompletionQuery extends PageQuery {
  readonly model?: string | undefined;
  /** Only completions with all of these pairs. Keys and values can be any text, including NUL. */
  readonly metadata?: Readonly<Metadata> | undefined;
  /** Only completions that this key created. */
  readonly apiKeyId?: string | undefined;
  /** Only completions whose first choice has this `finish_reason`. */
  readonly finishReason?: string | undefined;
  /** Only completions whose texts have all of these terms, as `searchedWords` returns their words. At least one. */
  readonly search?: readonly SearchTerm[] | undefined;
  /** Only completions created at this time or later, in Unix seconds. */
  readonly createdFrom?: number | undefined;
  /** Only completions created before this time, in Unix seconds. */
  readonly createdBefore?: number | undefined;
}

/** Stored completions of one project. No method reads or changes those of another project. */
export interface CompletionStore {
  /**
   * The record is durable when this resolves. If it rejects, nothing is stored.
   *
   * @throws {StorageLimitError} if the project would exceed its limit.
   */
  append(record: CompletionRecord, limit?: StorageLimit): Promise<void>;
  /**
   * Sorted by `created`, then by the order in which they were appended; `desc` reverses both. Paging with `after` returns every completion
   * that existed at the start exactly once, even if others are added or removed in the meantime. Undefined when there is no completion
   * `after`, and was none within the last day.
   */
  list(query: CompletionQuery): Promise<Page<StoredCompletion> | undefined>;
  /** The same page as `list`, each completion as `summarizeCompletion` returns it. Does not read the omitted fields. */
  listSummaries(query: CompletionQuery): Promise<Page<StoredCompletion> | undefined>;
  /** The same page as `list`, with the messages of each completion. */
  listRecords(query: CompletionQuery): Promise<Page<CompletionRecord> | undefined>;
  get(id: string): Promise<StoredCompletion | undefined>;
  /** Replaces all metadata; filters use the new values immediately. Returns the updated completion. */
  setMetadata(id: string, metadata: Readonly<Metadata>): Promise<StoredCompletion | undefined>;
  /** Deletes the completion with its messages. Returns false if it does not exist. */
  delete(id: string): Promise<boolean>;
  /** In the order of the request; `desc` reverses it. Undefined when there is no completion `id` or no message `after`. */
  messages(id: string, query: PageQuery): Promise<Page<ChatCompletionStoredMessage> | undefined>;
}

/** What reads stored completions: those of one project, or of all. */
export type CompletionReader = Pick<CompletionStore, 'list' | 'listSummaries' | 'get' | 'messages'>;
