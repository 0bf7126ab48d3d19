import type { SearchContextSize, WebSearchUserLocation } from '@modelwire/schema/types';

export interface WebSearchQuery {
  /** What the user asked, at most 400 characters. */
  readonly query: string;
  /** How many results are used at most. */
  readonly results: number;
  readonly search_context_size: SearchContextSize;
  readonly location: WebSearchUserLocation['approximate'] | undefined;
}

/** A page that was found. Results that have no http or https address are left out, long texts are cut. */
export interface WebSearchResult {
  readonly title: string;
  readonly url: string;
  /** What it says, as far as it matters. */
  readonly text: string;
}

/**
 * Looks something up. With one the server kit searches for chat models that cannot (interface: `web_search_options`). What it throws becomes a
 * 502 that tells nothing of it; a `RequestError` is answered as it is.
 */
export interface WebSearch {
  readonly name: string;
  search(query: WebSearchQuery, init: { readonly signal: AbortSignal }): Promise<readonly WebSearchResult[]>;
  close?(): Promise<void>;
}
