import type { CompletionQuery } from '@modelwire/ports';
import { models, topics } from './records.ts';

type Filter = Pick<CompletionQuery, 'model' | 'metadata'>;

/** Filters of a page; `turn` selects the value. */
export const filters = {
  none: { title: 'page of 20, no filter', of: (): Filter => ({}) },
  model: { title: 'page of 20 by model', of: (turn: number): Filter => ({ model: pick(models, turn) }) },
  common: {
    title: 'page of 20 by a metadata pair of all completions',
    of: (): Filter => ({ metadata: { app: 'bench' } }),
  },
  topic: {
    title: 'page of 20 by a metadata pair of 1 in 50',
    of: (turn: number): Filter => ({ metadata: { topic: pick(topics, turn) } }),
  },
  pairs: {
    title: 'page of 20 by both pairs',
    of: (turn: number): Filter => ({ metadata: { app: 'bench', topic: pick(topics, turn) } }),
  },
} satisfies Record<string, { readonly title: string; readonly of: (turn: number) => Filter }>;

export type FilterName = keyof typeof filters;
export const filterNames = Object.keys(filters).filter(isFilterName);

export function isFilterName(name: string): name is FilterName {
  return Object.hasOwn(filters, name);
}

function pick(list: readonly string[], turn: number): string {
  return list[turn % list.length] ?? '';
}
