import type { Page } from '../api/permissions.ts';

/** Pages that share an entry of the navigation. The page has a tab for each if there are several. */
export interface NavigationEntry {
  readonly label: string;
  readonly pages: readonly { readonly page: Page; readonly label: string }[];
  /** Paths of a 24 x 24 icon. */
  readonly icon: string;
}

export interface NavigationGroup {
  readonly label?: string;
  readonly entries: readonly NavigationEntry[];
}

export const navigation: readonly NavigationGroup[] = [
  {
    entries: [
      { label: 'Home', pages: [{ page: 'home', label: 'Home' }], icon: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z' },
      {
        label: 'Playground',
        pages: [
          { page: 'playground', label: 'Playground' },
          { page: 'moderation', label: 'Moderation' },
        ],
        icon: 'M4 5h16v11H9l-5 4z',
      },
    ],
  },
  {
    label: 'Data',
    entries: [
      {
        label: 'Completions',
        pages: [
          { page: 'completions', label: 'Completions' },
          { page: 'datasets', label: 'Datasets' },
          { page: 'comparisons', label: 'Comparisons' },
        ],
        icon: 'M5 6h14M5 12h14M5 18h9',
      },
      {
        label: 'Batches',
        pages: [
          { page: 'batches', label: 'Batches' },
          { page: 'files', label: 'Files' },
        ],
        icon: 'M12 3l9 5-9 5-9-5zM3 13l9 5 9-5',
      },
      { label: 'Videos', pages: [{ page: 'videos', label: 'Videos' }], icon: 'M4 6h11v12H4zM15 11l5-3v8l-5-3' },
    ],
  },
  {
    label: 'Operate',
    entries: [
      { label: 'Models', pages: [{ page: 'models', label: 'Models and health' }], icon: 'M3 12h4l3-7 4 14 3-7h4' },
      {
        label: 'Usage',
        pages: [
          { page: 'usage', label: 'Usage' },
          { page: 'budgets', label: 'Budgets' },
        ],
        icon: 'M5 20V11M12 20V4M19 20v-6',
      },
      {
        label: 'Access',
        pages: [
          { page: 'keys', label: 'Keys and projects' },
          { page: 'webhooks', label: 'Webhooks' },
          { page: 'audit', label: 'Audit log' },
        ],
        icon: 'M15 4a5 5 0 1 0 0 10 5 5 0 0 0 0-10M11.5 12.5L4 20M7 17l3 3',
      },
    ],
  },
];

export const navigationEntries: readonly NavigationEntry[] = navigation.flatMap(({ entries }) => entries);

/** The entry and the label of the page at a path below the console. */
export function navigationOf(pathname: string) {
  for (const entry of navigationEntries) {
    const tab = entry.pages.find(({ page }) => pathname === `/${page}` || pathname.startsWith(`/${page}/`));
    if (tab !== undefined) return { entry, ...tab };
  }
  return undefined;
}
