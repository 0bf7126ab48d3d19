import type { Page } from '../api/permissions.ts';

export interface NavigationItem {
  readonly page: Extract<Page, 'playground' | 'completions'>;
  readonly label: string;
  /** Paths of a 24 x 24 icon. */
  readonly icon: string;
}

export const navigation: readonly NavigationItem[] = [
  { page: 'playground', label: 'Playground', icon: 'M4 5h16v11H9l-5 4z' },
  { page: 'completions', label: 'Completions', icon: 'M5 6h14M5 12h14M5 18h9' },
];
