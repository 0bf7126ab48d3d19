import type { SearchContextSize, WebSearchUserLocation } from '@modelwire/schema/types';
import type { UpstreamObserver } from './observation.ts';

export interface WebSearchQuery {
  /** The query, at most 400 characters. */
  readonly query: string;
  /** Maximum number of results that are used. */
  readonly results: number;
  readonly search_context_size: SearchContextSize;
  readonly location: WebSearchUserLocation['approximate'] | undefined;
}

/** A result. Results without an http or https URL are ignored, and long texts are truncated. */
export interface WebSearchResult {
  readonly title: string;
  readonly url: string;
  /** The relevant text of the page. */
  readonly text: string;
}

export interface WebSearchContext {
  /** A search in front of a service reports its requests here, for metrics and traces. Undefined if nothing is observed. */
  readonly observer?: UpstreamObserver | undefined;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Searches the web. With it, the server searches for chat models without a search of their own (API: `web_search_options`). Errors
 * become a 502 without details, except for a `RequestError`.
 */
export interface WebSearch {
  readonly name: string;
  search(query: WebSearchQuery, context: WebSearchContext): Promise<readonly WebSearchResult[]>;
  close?(): Promise<void>;
}
