import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  stripSearchParams,
} from '@tanstack/react-router';
import type { SearchSchemaInput } from '@tanstack/react-router';
import { consoleURL } from './api/addresses.ts';
import type { AuditSearch } from './pages/audit/filters.ts';
import { deliveryStatuses } from './pages/webhooks/delivery-statuses.ts';
import { Home } from './shell/home.tsx';
import { Shell } from './shell/shell.tsx';
import { NotFound, PageError } from './shell/page-error.tsx';

/** Parameters of an address: any may be missing, or have another type than the page writes. */
type Search<Name extends string> = { readonly [Key in Name]?: unknown } & SearchSchemaInput;

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const seconds = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
const order = (value: unknown): 'asc' | 'desc' => (value === 'asc' ? 'asc' : 'desc');

const defaultDays = 30;
const days = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 366 ? value : defaultDays;

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: Home,
});

const playground = createRoute({
  getParentRoute: () => root,
  path: '/playground',
  component: lazyRouteComponent(() => import('./pages/playground/playground.tsx'), 'Playground'),
});

const completions = createRoute({
  getParentRoute: () => root,
  path: '/completions',
  validateSearch: (search: Search<'model' | 'metadata' | 'start_time' | 'end_time' | 'order'>) => ({
    model: text(search.model),
    metadata: text(search.metadata),
    start_time: seconds(search.start_time),
    end_time: seconds(search.end_time),
    order: order(search.order),
  }),
  search: {
    middlewares: [stripSearchParams({ model: '', metadata: '', start_time: 0, end_time: 0, order: 'desc' as const })],
  },
  component: lazyRouteComponent(() => import('./pages/completions/completions.tsx'), 'Completions'),
});

const completion = createRoute({
  getParentRoute: () => root,
  path: '/completions/$id',
  component: lazyRouteComponent(() => import('./pages/completions/completion.tsx'), 'Completion'),
});

const files = createRoute({
  getParentRoute: () => root,
  path: '/files',
  validateSearch: (search: Search<'purpose' | 'order'>) => ({
    purpose: text(search.purpose),
    order: order(search.order),
  }),
  search: { middlewares: [stripSearchParams({ purpose: '', order: 'desc' as const })] },
  component: lazyRouteComponent(() => import('./pages/files/files.tsx'), 'Files'),
});

const file = createRoute({
  getParentRoute: () => root,
  path: '/files/$id',
  component: lazyRouteComponent(() => import('./pages/files/file.tsx'), 'FilePage'),
});

const batches = createRoute({
  getParentRoute: () => root,
  path: '/batches',
  validateSearch: (search: Search<'input'>) => ({ input: text(search.input) }),
  search: { middlewares: [stripSearchParams({ input: '' })] },
  component: lazyRouteComponent(() => import('./pages/batches/batches.tsx'), 'Batches'),
});

const batch = createRoute({
  getParentRoute: () => root,
  path: '/batches/$id',
  component: lazyRouteComponent(() => import('./pages/batches/batch.tsx'), 'BatchPage'),
});

const moderation = createRoute({
  getParentRoute: () => root,
  path: '/moderation',
  component: lazyRouteComponent(() => import('./pages/moderation/moderation.tsx'), 'ModerationPage'),
});

const videos = createRoute({
  getParentRoute: () => root,
  path: '/videos',
  component: lazyRouteComponent(() => import('./pages/videos/videos.tsx'), 'Videos'),
});

const video = createRoute({
  getParentRoute: () => root,
  path: '/videos/$id',
  component: lazyRouteComponent(() => import('./pages/videos/video.tsx'), 'VideoPage'),
});

const usage = createRoute({
  getParentRoute: () => root,
  path: '/usage',
  validateSearch: (search: Search<'days' | 'project' | 'key' | 'model' | 'code'>) => ({
    days: days(search.days),
    project: text(search.project),
    key: text(search.key),
    model: text(search.model),
    code: text(search.code),
  }),
  search: { middlewares: [stripSearchParams({ days: defaultDays, project: '', key: '', model: '', code: '' })] },
  component: lazyRouteComponent(() => import('./pages/usage/usage.tsx'), 'Usage'),
});

const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  validateSearch: (search: Search<'project' | 'archived'>) => ({
    project: text(search.project),
    archived: search.archived === true,
  }),
  search: { middlewares: [stripSearchParams({ project: '', archived: false })] },
  component: lazyRouteComponent(() => import('./pages/keys/keys.tsx'), 'Keys'),
});

const budgets = createRoute({
  getParentRoute: () => root,
  path: '/budgets',
  validateSearch: (search: Search<'project' | 'key'>) => ({ project: text(search.project), key: text(search.key) }),
  search: { middlewares: [stripSearchParams({ project: '', key: '' })] },
  component: lazyRouteComponent(() => import('./pages/budgets/budgets.tsx'), 'Budgets'),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: (search: Search<keyof AuditSearch>): AuditSearch => ({
    type: text(search.type),
    project: text(search.project),
    resource: text(search.resource),
    actor: text(search.actor),
    from: text(search.from),
    to: text(search.to),
  }),
  search: {
    middlewares: [stripSearchParams({ type: '', project: '', resource: '', actor: '', from: '', to: '' })],
  },
  component: lazyRouteComponent(() => import('./pages/audit/audit.tsx'), 'Audit'),
});

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./pages/webhooks/webhooks.tsx'), 'Webhooks'),
});

const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$id',
  validateSearch: (search: Search<'status'>) => ({
    status: deliveryStatuses.find((one) => one === search.status) ?? ('' as const),
  }),
  search: { middlewares: [stripSearchParams({ status: '' as const })] },
  component: lazyRouteComponent(() => import('./pages/webhooks/webhook.tsx'), 'WebhookPage'),
});

const models = createRoute({
  getParentRoute: () => root,
  path: '/models',
  component: lazyRouteComponent(() => import('./pages/models/models.tsx'), 'Models'),
});

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

/** Filters and sort orders of the lists are in the address, so that a link or a reload shows the same list. */
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
