import type { Page } from '../api/permissions.ts';

export interface NavigationItem {
  readonly page: Page;
  readonly label: string;
  /** Paths of a 24 x 24 icon. */
  readonly icon: string;
}

export const navigation: readonly NavigationItem[] = [
  { page: 'playground', label: 'Playground', icon: 'M4 5h16v11H9l-5 4z' },
  { page: 'completions', label: 'Completions', icon: 'M5 6h14M5 12h14M5 18h9' },
  { page: 'batches', label: 'Batches', icon: 'M12 3l9 5-9 5-9-5zM3 13l9 5 9-5' },
  { page: 'files', label: 'Files', icon: 'M6 3h8l4 4v14H6zM14 3v4h4' },
  { page: 'videos', label: 'Videos', icon: 'M4 6h11v12H4zM15 11l5-3v8l-5-3' },
  { page: 'moderation', label: 'Moderation', icon: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6z' },
  { page: 'usage', label: 'Usage', icon: 'M5 20V11M12 20V4M19 20v-6' },
  { page: 'keys', label: 'Keys and projects', icon: 'M14 10a4 4 0 1 0-4 4l1 0v3h3v3h5v-4z' },
  { page: 'budgets', label: 'Budgets', icon: 'M4 7h16v12H4zM4 11h16M15 15h2M7 7V4h10v3' },
  { page: 'audit', label: 'Audit log', icon: 'M6 3h12v18H6zM9 8h6M9 12h6M9 16h3' },
  {
    page: 'webhooks',
    label: 'Webhooks',
    icon: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  },
  { page: 'models', label: 'Models and health', icon: 'M3 12h4l3-7 4 14 3-7h4' },
];
