import type { Server } from 'node:http';
import {
  createMetricsObserver,
  createRegistry,
  createStorageMetrics,
  metricsContentType,
  observeProcess,
} from '@modelwire/telemetry';
import type { MetricSnapshot, Registry } from '@modelwire/telemetry';
import type { Authenticator, ModelwireServer, Stores } from '@modelwire/server';
import type { BudgetState, Observer, StorageObserver } from '@modelwire/ports';
import type { Settings } from './settings.ts';
import type { UpstreamHealth } from './upstream-health.ts';
import { version } from './version.ts';

/** The metrics of this process at `GET /metrics`. */
export interface Metrics {
  readonly observer: Observer;
  /** The observer of a storage, such as `sqlite`. */
  readonly storage: (name: string) => StorageObserver;
  /** Serves the metrics, those of the server's state included. */
  serve(parts: MeasuredParts): void;
  /** The metrics as plain data, for the process that adds up those of all. */
  snapshot(): Promise<readonly MetricSnapshot[]>;
  stop(): void;
}

export interface MeasuredParts {
  readonly server: ModelwireServer;
  readonly http: Server;
  readonly stores: Stores;
  readonly upstreams: UpstreamHealth;
  readonly authenticator: Authenticator;
  /** IDs of all models that the server lists. */
  readonly models: () => readonly string[];
  /** Reads the metrics of all processes of the server in the text format. Default: there is only this process. */
  readonly readAll?: (() => Promise<string>) | undefined;
}

/** Creates the metrics; undefined if they are turned off. */
export function createMetrics({ metrics: setting = true }: Pick<Settings, 'metrics'>): Metrics | undefined {
  if (setting === false) return undefined;
  const { requireKey = false, projects = false } = setting === true ? {} : setting;
  const registry = createRegistry();
  let models: () => readonly string[] = () => [];
  const stopProcess = observeProcess(registry, { version });
  return {
    observer: createMetricsObserver(registry, {
      includeProjectLabel: projects,
      isListedModel: (model) => models().includes(model),
    }),
    storage: createStorageMetrics(registry),
    serve(parts) {
      const { server, authenticator, readAll = () => registry.text() } = parts;
      models = parts.models;
      measureEngines(registry, parts);
      measureUpstreams(registry, parts);
      measureJobs(registry, parts);
      measureBudgets(registry, parts);
      server.app.get('/metrics', async (context) => {
        const isAllowed = !requireKey || (await mayRead(authenticator, context.req.header('authorization')));
        if (!isAllowed) {
          const message = 'Send a configured key, or one with the role admin, as Authorization: Bearer <key>.';
          return context.text(`${message}\n`, 401, { 'www-authenticate': 'Bearer' });
        }
        return context.body(await readAll(), 200, { 'content-type': metricsContentType, 'cache-control': 'no-store' });
      });
    },
    snapshot: () => registry.snapshot(),
    stop: stopProcess,
  };
}

/** Metrics tell of all projects: keys of the configuration, which have no role, and keys of administrators may read them. */
async function mayRead(authenticator: Authenticator, header = ''): Promise<boolean> {
  const [, key = ''] = /^bearer\s+(\S+)$/i.exec(header) ?? [];
  const principal = await authenticator.authenticate(key);
  return principal !== undefined && (principal.role === undefined || principal.role === 'admin');
}

function measureEngines(registry: Registry, { server, http }: MeasuredParts): void {
  const inFlight = registry.gauge({ name: 'modelwire_requests_in_flight', help: 'Requests that have not ended.' });
  const active = registry.gauge({
    name: 'modelwire_engine_active',
    help: 'Requests that the engine works on.',
    labels: ['engine'],
  });
  const queued = registry.gauge({
    name: 'modelwire_engine_queued',
    help: 'Requests that wait for a slot at the engine.',
    labels: ['engine'],
  });
  const concurrency = registry.gauge({
    name: 'modelwire_engine_concurrency',
    help: 'Slots of the engine.',
    merge: 'max',
    labels: ['engine'],
  });
  const connections = registry.gauge({ name: 'modelwire_open_connections', help: 'Open connections of clients.' });
  registry.onScrape(async () => {
    const stats = server.stats();
    inFlight.series().set(stats.requestsInFlight);
    for (const gauge of [active, queued, concurrency]) gauge.clear();
    for (const engine of stats.engines) {
      // Engines of the same name are shown as one.
      active.series(engine.engine).value += engine.active;
      queued.series(engine.engine).value += engine.queued;
      concurrency.series(engine.engine).value += engine.concurrency;
    }
    connections.series().set(await openConnections(http));
  });
}

function openConnections(http: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    http.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

const circuitValues = { closed: 0, 'half-open': 1, open: 2 } as const;

function measureUpstreams(registry: Registry, { upstreams }: MeasuredParts): void {
  const up = registry.gauge({
    name: 'modelwire_upstream_up',
    help: '1 if the upstream answered when it was last checked, 0 if not.',
    merge: 'max',
    labels: ['upstream'],
  });
  const circuit = registry.gauge({
    name: 'modelwire_upstream_circuit_state',
    help: 'Circuit breaker of a model of an upstream: 0 closed, 1 half-open, 2 open.',
    merge: 'max',
    labels: ['upstream', 'model'],
  });
  registry.onScrape(() => {
    up.clear();
    circuit.clear();
    for (const { upstream, status } of upstreams.statuses()) {
      if (status !== 'unknown') up.series(upstream).set(status === 'available' ? 1 : 0);
    }
    for (const { upstream, model, state } of upstreams.circuits()) {
      circuit.series(upstream, model).set(circuitValues[state]);
    }
  });
}

/** What replicas share: each of them reads the same from the database. */
const sharedReadEveryMs = 5000;

function measureJobs(registry: Registry, { stores }: MeasuredParts): void {
  const jobs = registry.gauge({
    name: 'modelwire_jobs',
    help: 'Jobs of all replicas that wait or run, by kind.',
    merge: 'first',
    labels: ['kind', 'state'],
  });
  const age = registry.gauge({
    name: 'modelwire_oldest_waiting_job_age_seconds',
    help: 'How long the oldest job that no replica has begun has waited.',
    merge: 'first',
    labels: ['kind'],
  });
  let readAt = -Infinity;
  registry.onScrape(async () => {
    if (performance.now() - readAt < sharedReadEveryMs) return;
    readAt = performance.now();
    // Without the database the other metrics are served: its errors are among them.
    const backlog = await stores.jobs.backlog().catch(() => []);
    for (const kind of ['batch', 'response', 'video', 'webhook'] as const) {
      const { waiting, running, oldestWaitingMs } = backlog.find((some) => some.kind === kind) ?? {
        waiting: 0,
        running: 0,
        oldestWaitingMs: 0,
      };
      jobs.series(kind, 'waiting').set(waiting);
      jobs.series(kind, 'running').set(running);
      age.series(kind).set(oldestWaitingMs / 1000);
    }
  });
}

/** The budgets that have used most of their limits: a server may have one for each of many keys. */
const maxBudgets = 200;

function measureBudgets(registry: Registry, { stores }: MeasuredParts): void {
  const labels = ['budget', 'unit', 'period'] as const;
  const spent = registry.gauge({
    name: 'modelwire_budget_spent',
    help: 'What was spent in this period, in tokens or millionths of the currency.',
    merge: 'first',
    labels,
  });
  const limits = registry.gauge({
    name: 'modelwire_budget_limit',
    help: 'Limits of the budget, in its unit. hard is the override of this period, if there is one.',
    merge: 'first',
    labels: [...labels, 'limit'],
  });
  let readAt = -Infinity;
  registry.onScrape(async () => {
    if (performance.now() - readAt < sharedReadEveryMs) return;
    readAt = performance.now();
    const budgets = await stores.budgets.list().catch(() => []);
    const shown = budgets.toSorted((a, b) => usedRatio(b) - usedRatio(a)).slice(0, maxBudgets);
    spent.clear();
    limits.clear();
    for (const budget of shown) {
      const { id, unit, period, softLimit } = budget;
      const hardLimit = budget.overrideLimit ?? budget.hardLimit;
      spent.series(id, unit, period).set(budget.spent);
      if (softLimit !== null) limits.series(id, unit, period, 'soft').set(softLimit);
      if (hardLimit !== null) limits.series(id, unit, period, 'hard').set(hardLimit);
    }
  });
}

/** Of the hard limit, or of the soft one where there is none. A budget that admits nothing is used up. */
function usedRatio({ spent, softLimit, hardLimit, overrideLimit }: BudgetState): number {
  const limit = overrideLimit ?? hardLimit ?? softLimit;
  if (limit === null) return 0;
  return limit === 0 ? 1 : spent / limit;
}
