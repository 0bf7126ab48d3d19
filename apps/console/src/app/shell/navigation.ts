import type { Page } from '../api/permissions.ts';

export interface NavigationItem {
  readonly page: Extract<Page, 'playground' | 'completions' | 'files' | 'batches'>;
  readonly label: string;
  /** Paths of a 24 x 24 icon. */
  readonly icon: string;
}

export const navigation: readonly NavigationItem[] = [
  { page: 'playground', label: 'Playground', icon: 'M4 5h16v11H9l-5 4z' },
  { page: 'completions', label: 'Completions', icon: 'M5 6h14M5 12h14M5 18h9' },
  { page: 'batches', label: 'Batches', icon: 'M12 3l9 5-9 5-9-5zM3 13l9 5 9-5' },
  { page: 'files', label: 'Files', icon: 'M6 3h8l4 4v14H6zM14 3v4h4' },
];
