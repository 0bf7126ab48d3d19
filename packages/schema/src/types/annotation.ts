import type { Open } from './open.ts';

/** A source that web search used. */
export interface UrlCitationAnnotation {
  type: Open<'url_citation'>;
  url_citation?: { start_index: number; end_index: number; title: string; url: string };
}
