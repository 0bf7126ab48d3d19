import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  stripSearchParams,
} from '@tanstack/react-router';
import type { RouteComponent, SearchSchemaInput } from '@tanstack/react-router';
import { consoleURL } from './api/urls.ts';
import type { AuditSearch } from './pages/audit/filters.ts';
import { deliveryStatuses } from './pages/webhooks/delivery-statuses.ts';
import { Home } from './shell/home.tsx';
import { Shell } from './shell/shell.tsx';
import { NotFound, PageError } from './shell/page-error.tsx';

/** Search parameters of a URL. Any may be missing or have an unexpected type. */
type Search<Name extends string> = { readonly [Key in Name]?: unknown } & SearchSchemaInput;

const parseText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
const parseSeconds = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
const parseOrder = (value: unknown): 'asc' | 'desc' => (value === 'asc' ? 'asc' : 'desc');

const defaultDays = 30;
const parseDays = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 366 ? value : defaultDays;

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

/** A page without search parameters. */
function createPage<const Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({ getParentRoute: () => root, path, component });
}

const index = createPage('/', Home);

const playground = createPage(
  '/playground',
  lazyRouteComponent(() => import('./pages/playground/playground.tsx'), 'Playground'),
);

const completions = createRoute({
  getParentRoute: () => root,
  path: '/completions',
  validateSearch: (search: Search<'model' | 'metadata' | 'start_time' | 'end_time' | 'order'>) => ({
    model: parseText(search.model),
    metadata: parseText(search.metadata),
    start_time: parseSeconds(search.start_time),
    end_time: parseSeconds(search.end_time),
    order: parseOrder(search.order),
  }),
  search: {
    middlewares: [stripSearchParams({ model: '', metadata: '', start_time: 0, end_time: 0, order: 'desc' as const })],
  },
  component: lazyRouteComponent(() => import('./pages/completions/completions.tsx'), 'Completions'),
});

const completion = createPage(
  '/completions/$id',
  lazyRouteComponent(() => import('./pages/completions/completion.tsx'), 'Completion'),
);

const files = createRoute({
  getParentRoute: () => root,
  path: '/files',
  validateSearch: (search: Search<'purpose' | 'order'>) => ({
    purpose: parseText(search.purpose),
    order: parseOrder(search.order),
  }),
  search: { middlewares: [stripSearchParams({ purpose: '', order: 'desc' as const })] },
  component: lazyRouteComponent(() => import('./pages/files/files.tsx'), 'Files'),
});

const file = createPage(
  '/files/$id',
  lazyRouteComponent(() => import('./pages/files/file.tsx'), 'FilePage'),
);

const batches = createRoute({
  getParentRoute: () => root,
  path: '/batches',
  validateSearch: (search: Search<'input'>) => ({ input: parseText(search.input) }),
  search: { middlewares: [stripSearchParams({ input: '' })] },
  component: lazyRouteComponent(() => import('./pages/batches/batches.tsx'), 'Batches'),
});

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

const video = createPage(
  '/videos/$id',
  lazyRouteComponent(() => import('./pages/videos/video.tsx'), 'VideoPage'),
);

const usage = createRoute({
  getParentRoute: () => root,
  path: '/usage',
  validateSearch: (search: Search<'days' | 'project' | 'key' | 'model' | 'code'>) => ({
    days: parseDays(search.days),
    project: parseText(search.project),
    key: parseText(search.key),
    model: parseText(search.model),
    code: parseText(search.code),
  }),
  search: { middlewares: [stripSearchParams({ days: defaultDays, project: '', key: '', model: '', code: '' })] },
  component: lazyRouteComponent(() => import('./pages/usage/usage.tsx'), 'Usage'),
});

const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  validateSearch: (search: Search<'project' | 'archived'>) => ({
    project: parseText(search.project),
    archived: search.archived === true,
  }),
  search: { middlewares: [stripSearchParams({ project: '', archived: false })] },
  component: lazyRouteComponent(() => import('./pages/keys/keys.tsx'), 'Keys'),
});

const budgets = createRoute({
  getParentRoute: () => root,
  path: '/budgets',
  validateSearch: (search: Search<'project' | 'key'>) => ({
    project: parseText(search.project),
    key: parseText(search.key),
  }),
  search: { middlewares: [stripSearchParams({ project: '', key: '' })] },
  component: lazyRouteComponent(() => import('./pages/budgets/budgets.tsx'), 'Budgets'),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: (search: Search<keyof AuditSearch>): AuditSearch => ({
    type: parseText(search.type),
    project: parseText(search.project),
    resource: parseText(search.resource),
    actor: parseText(search.actor),
    from: parseText(search.from),
    to: parseText(search.to),
  }),
  search: {
    middlewares: [stripSearchParams({ type: '', project: '', resource: '', actor: '', from: '', to: '' })],
  },
  component: lazyRouteComponent(() => import('./pages/audit/audit.tsx'), 'Audit'),
});

const webhooks = createPage(
  '/webhooks',
  lazyRouteComponent(() => import('./pages/webhooks/webhooks.tsx'), 'Webhooks'),
);

const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$id',
  validateSearch: (search: Search<'status'>) => ({
    status: deliveryStatuses.find((status) => status === search.status) ?? ('' as const),
  }),
  search: { middlewares: [stripSearchParams({ status: '' as const })] },
  component: lazyRouteComponent(() => import('./pages/webhooks/webhook.tsx'), 'WebhookPage'),
});

const models = createPage(
  '/models',
  lazyRouteComponent(() => import('./pages/models/models.tsx'), 'Models'),
);

const routeTree = root.addChildren([
  index,
  playground,
  completions,
  completion,
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
