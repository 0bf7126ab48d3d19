import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  stripSearchParams,
} from '@tanstack/react-router';
import type { RouteComponent, SearchSchemaInput } from '@tanstack/react-router';
import { consoleURL } from './api/urls.ts';
import { Home } from './pages/home/home.tsx';
import { parsePeriod } from './pages/home/periods.ts';
import { deliveryStatuses } from './pages/webhooks/delivery-statuses.ts';
import { Start } from './shell/start.tsx';
import { Shell } from './shell/shell.tsx';
import { NotFound, PageError } from './shell/page-error.tsx';

/** How the search parameters of a page are parsed. Any may be missing or have an unexpected type. */
type Parsers<Filters> = { readonly [Key in keyof Filters]: (value: unknown) => Filters[Key] };

const parseText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
const parseSeconds = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
const parseFlag = (value: unknown): boolean => value === true;
const parseOrder = (value: unknown): 'asc' | 'desc' => (value === 'asc' ? 'asc' : 'desc');

const defaultDays = 30;
const parseDays = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 366 ? value : defaultDays;

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

/** A page without search parameters. */
function createPage<const Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({ getParentRoute: () => root, path, component });
}

/** A page with search parameters. Its URL omits those whose value is that of a missing one. */
function createFilteredPage<const Path extends string, Filters extends object>(
  path: Path,
  component: RouteComponent,
  parsers: Parsers<Filters>,
) {
  const parse = (search: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries<(value: unknown) => unknown>(parsers).map(([key, parseValue]) => [key, parseValue(search[key])]),
    ) as Filters;
  return createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: (search: { readonly [Key in keyof Filters]?: unknown } & SearchSchemaInput) => parse(search),
    search: { middlewares: [stripSearchParams(parse({}))] },
    component,
  });
}

const index = createRoute({ getParentRoute: () => root, path: '/', component: Start });

// The page that most people see first: it does not wait for another request.
const home = createFilteredPage('/home', Home, {
  period: parsePeriod,
  project: parseText,
  model: parseText,
});

const playground = createPage(
  '/playground',
  lazyRouteComponent(() => import('./pages/playground/playground.tsx'), 'Playground'),
);

const completions = createFilteredPage(
  '/completions',
  lazyRouteComponent(() => import('./pages/completions/completions.tsx'), 'Completions'),
  {
    project: parseText,
    search: parseText,
    model: parseText,
    key: parseText,
    status: parseText,
    metadata: parseText,
    start_time: parseSeconds,
    end_time: parseSeconds,
    order: parseOrder,
    open: parseText,
  },
);

const completion = createPage(
  '/completions/$id',
  lazyRouteComponent(() => import('./pages/completions/completion.tsx'), 'Completion'),
);

const datasets = createFilteredPage(
  '/datasets',
  lazyRouteComponent(() => import('./pages/datasets/datasets.tsx'), 'Datasets'),
  {
    create: parseFlag,
    model: parseText,
    metadata: parseText,
    start_time: parseSeconds,
    end_time: parseSeconds,
  },
);

const dataset = createFilteredPage(
  '/datasets/$id',
  lazyRouteComponent(() => import('./pages/datasets/dataset.tsx'), 'DatasetPage'),
  {
    compare: parseText,
  },
);

const comparisons = createPage(
  '/comparisons',
  lazyRouteComponent(() => import('./pages/comparisons/comparisons.tsx'), 'Comparisons'),
);

const comparison = createPage(
  '/comparisons/$id',
  lazyRouteComponent(() => import('./pages/comparisons/comparison.tsx'), 'ComparisonPage'),
);

const files = createFilteredPage(
  '/files',
  lazyRouteComponent(() => import('./pages/files/files.tsx'), 'Files'),
  {
    purpose: parseText,
    order: parseOrder,
  },
);

const file = createPage(
  '/files/$id',
  lazyRouteComponent(() => import('./pages/files/file.tsx'), 'FilePage'),
);

const batches = createFilteredPage(
  '/batches',
  lazyRouteComponent(() => import('./pages/batches/batches.tsx'), 'Batches'),
  {
    input: parseText,
  },
);

const batch = createPage(
  '/batches/$id',
  lazyRouteComponent(() => import('./pages/batches/batch.tsx'), 'BatchPage'),
);

const moderation = createPage(
  '/moderation',
  lazyRouteComponent(() => import('./pages/moderation/moderation.tsx'), 'ModerationPage'),
);

const videos = createPage(
  '/videos',
  lazyRouteComponent(() => import('./pages/videos/videos.tsx'), 'Videos'),
);

const video = createFilteredPage(
  '/videos/$id',
  lazyRouteComponent(() => import('./pages/videos/video.tsx'), 'VideoPage'),
  {
    compare: parseText,
  },
);

const usage = createFilteredPage(
  '/usage',
  lazyRouteComponent(() => import('./pages/usage/usage.tsx'), 'Usage'),
  {
    days: parseDays,
    project: parseText,
    key: parseText,
    model: parseText,
    code: parseText,
  },
);

const keys = createFilteredPage(
  '/keys',
  lazyRouteComponent(() => import('./pages/keys/keys.tsx'), 'Keys'),
  {
    project: parseText,
    archived: parseFlag,
  },
);

const budgets = createFilteredPage(
  '/budgets',
  lazyRouteComponent(() => import('./pages/budgets/budgets.tsx'), 'Budgets'),
  {
    project: parseText,
    key: parseText,
  },
);

const audit = createFilteredPage(
  '/audit',
  lazyRouteComponent(() => import('./pages/audit/audit.tsx'), 'Audit'),
  {
    type: parseText,
    project: parseText,
    resource: parseText,
    actor: parseText,
    start_time: parseSeconds,
    end_time: parseSeconds,
  },
);

const webhooks = createPage(
  '/webhooks',
  lazyRouteComponent(() => import('./pages/webhooks/webhooks.tsx'), 'Webhooks'),
);

const webhook = createFilteredPage(
  '/webhooks/$id',
  lazyRouteComponent(() => import('./pages/webhooks/webhook.tsx'), 'WebhookPage'),
  {
    status: (value) => deliveryStatuses.find((status) => status === value) ?? '',
  },
);

const models = createPage(
  '/models',
  lazyRouteComponent(() => import('./pages/models/models.tsx'), 'Models'),
);

const routeTree = root.addChildren([
  index,
  home,
  playground,
  completions,
  completion,
  datasets,
  dataset,
  comparisons,
  comparison,
  files,
  file,
  batches,
  batch,
  moderation,
  videos,
  video,
  usage,
  keys,
  budgets,
  audit,
  webhooks,
  webhook,
  models,
]);

/** Filters and sort orders are search parameters of the URL, so that a link or a reload shows the same list. */
export const router = createRouter({
  routeTree,
  basepath: consoleURL.pathname,
  defaultErrorComponent: PageError,
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
