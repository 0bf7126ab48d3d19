import type { PageValues } from '../query/pages.ts';

/** A part of the page order. */
export interface WalkRange extends Pick<PageValues, 'cursor' | 'order'> {
  /** Where it ends: the first time that is too late (`asc`), or the last one that is early enough (`desc`). */
  readonly end: number | undefined;
}
