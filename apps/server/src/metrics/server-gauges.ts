import type { Server } from 'node:http';
import type { BudgetState, ListedModel, Stores } from '@modelwire/ports';
import type { ModelwireServer } from '@modelwire/server';
import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { UpstreamHealth } from '../upstreams/upstream-health.ts';

export interface MeasuredServer {
  readonly server: ModelwireServer;
  readonly http: Server;
  readonly stores: Stores;
  readonly upstreams: UpstreamHealth;
  /** All models; those that this process runs itself have a `runtime`. */
  readonly runtimes: () => readonly ListedModel[];
}

interface MeasureOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: Label[];
  /**
   * How the values of several processes are combined: `max` for what they have in common, such as a limit; `first` for what all of them read from
   * the same source, such as a database. Default: `sum`.
   */
  readonly aggregator?: 'max' | 'first';
}

type Sample<Label extends string> = readonly [value: number, labels: Readonly<Record<Label, string>>];

/** Creates gauges of the state of the server, which are read when the metrics are. */
export function measureServer(registry: Registry, parts: MeasuredServer): void {
  measureRequests(registry, parts);
  measureEngines(registry, parts);
  measureRuntimes(registry, parts);
  measureUpstreams(registry, parts);
  measureJobs(registry, parts);
  measureBudgets(registry, parts);
}

/** The most series of a gauge: upstreams may have any number of models. */
const maxSeries = 5000;

/** Adds a gauge. Samples with the same labels are added up. */
function measure<Label extends string = never>(
  registry: Registry,
  options: MeasureOptions<Label>,
  read: () => readonly Sample<Label>[] | Promise<readonly Sample<Label>[]>,
): void {
  new Gauge<Label>({
    ...options,
    registers: [registry],
    async collect() {
      const samples = await read();
      this.reset();
      for (const [value, labels] of samples.slice(0, maxSeries)) this.inc(labels, value);
    },
  });
}

function measureRequests(registry: Registry, { server, http }: MeasuredServer): void {
  measure(registry, { name: 'modelwire_requests_in_flight', help: 'Requests that have not ended.' }, () => [
    [server.stats().requestsInFlight, {}],
  ]);
  measure(registry, { name: 'modelwire_open_connections', help: 'Open connections of clients.' }, async () => [
    [await openConnections(http), {}],
  ]);
}

function openConnections(http: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    http.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

function measureEngines(registry: Registry, { server }: MeasuredServer): void {
  const gauges = [
    { value: 'active', name: 'active', help: 'Requests that the engine works on.' },
    { value: 'waiting', name: 'queued', help: 'Requests that wait for a slot at the engine.' },
    { value: 'concurrency', name: 'concurrency', help: 'Slots of the engine.', aggregator: 'max' },
  ] as const;
  // Engines of the same name are shown as one.
  for (const { value, name, ...options } of gauges)
    measure(registry, { name: `modelwire_engine_${name}`, labelNames: ['engine'], ...options }, () =>
      server.stats().engines.map((engine) => [engine[value], { engine: engine.name }]),
    );
}

/** Where the models run that this process runs itself. */
function measureRuntimes(registry: Registry, { runtimes }: MeasuredServer): void {
  const own = () => runtimes().flatMap(({ id, runtime }) => (runtime ? [{ model: id, runtime }] : []));
  measure(
    registry,
    {
      name: 'modelwire_model_runtime_info',
      help: 'Where a model runs: 1 for each.',
      aggregator: 'max',
      labelNames: ['model', 'backend', 'device', 'gpu_layers', 'layers', 'context_size', 'sequences'],
    },
    () =>
      own().map(({ model, runtime }) => [
        1,
        {
          model,
          backend: runtime.backend,
          device: runtime.device ?? '',
          gpu_layers: String(runtime.gpu_layers),
          layers: String(runtime.layers),
          context_size: String(runtime.context_size),
          sequences: String(runtime.sequences),
        },
      ]),
  );
  measure(
    registry,
    {
      name: 'modelwire_model_memory_bytes',
      help: 'Memory that weights and context of a model take.',
      labelNames: ['model', 'memory'],
    },
    () =>
      own().flatMap(({ model, runtime }) => [
        [runtime.memory_bytes, { model, memory: 'host' }],
        [runtime.gpu_memory_bytes, { model, memory: 'gpu' }],
      ]),
  );
}

const circuitValues = { closed: 0, 'half-open': 1, open: 2 } as const;

function measureUpstreams(registry: Registry, { upstreams }: MeasuredServer): void {
  measure(
    registry,
    {
      name: 'modelwire_upstream_up',
      help: '1 if the upstream answered when it was last checked, 0 if not.',
      aggregator: 'max',
      labelNames: ['upstream'],
    },
    () =>
      upstreams
        .statuses()
        .filter(({ status }) => status !== 'unknown')
        .map(({ upstream, status }) => [status === 'available' ? 1 : 0, { upstream }]),
  );
  measure(
    registry,
    {
      name: 'modelwire_upstream_circuit_state',
      help: 'Circuit breaker of a model of an upstream: 0 closed, 1 half-open, 2 open.',
      aggregator: 'max',
      labelNames: ['upstream', 'model'],
    },
    () => upstreams.circuits().map(({ upstream, model, state }) => [circuitValues[state], { upstream, model }]),
  );
}

/** What replicas share: each of them reads the same from the database. Without it the other metrics are served: its errors are among them. */
function readShared<Row>(read: () => Promise<readonly Row[]>): () => Promise<readonly Row[]> {
  const sharedReadEveryMs = 5000;
  let readAt = -Infinity;
  let rows: Promise<readonly Row[]> = Promise.resolve([]);
  return () => {
    if (performance.now() - readAt >= sharedReadEveryMs) {
      readAt = performance.now();
      rows = read().catch(() => []);
    }
    return rows;
  };
}

function measureJobs(registry: Registry, { stores }: MeasuredServer): void {
  const kinds = ['batch', 'response', 'video', 'webhook'] as const;
  const none = { waiting: 0, running: 0, oldestWaitingMs: 0 };
  const read = readShared(async () => {
    const backlog = await stores.jobs.backlog();
    return kinds.map((kind) => ({ ...(backlog.find((some) => some.kind === kind) ?? none), kind }));
  });
  measure(
    registry,
    {
      name: 'modelwire_jobs',
      help: 'Jobs of all replicas that wait or run, by kind.',
      aggregator: 'first',
      labelNames: ['kind', 'state'],
    },
    async () =>
      (await read()).flatMap(({ kind, waiting, running }) => [
        [waiting, { kind, state: 'waiting' }],
        [running, { kind, state: 'running' }],
      ]),
  );
  measure(
    registry,
    {
      name: 'modelwire_oldest_waiting_job_age_seconds',
      help: 'How long the oldest job that no replica has begun has waited.',
      aggregator: 'first',
      labelNames: ['kind'],
    },
    async () => (await read()).map(({ kind, oldestWaitingMs }) => [oldestWaitingMs / 1000, { kind }]),
  );
}

/** The budgets that have used most of their limits: a server may have one for each of many keys. */
const maxBudgets = 200;

function measureBudgets(registry: Registry, { stores }: MeasuredServer): void {
  const read = readShared(async () =>
    (await stores.budgets.list()).toSorted((a, b) => usedRatio(b) - usedRatio(a)).slice(0, maxBudgets),
  );
  const labelsOf = ({ id, unit, period }: BudgetState) => ({ budget: id, unit, period });
  measure(
    registry,
    {
      name: 'modelwire_budget_spent',
      help: 'What was spent in this period, in tokens or millionths of the currency.',
      aggregator: 'first',
      labelNames: ['budget', 'unit', 'period'],
    },
    async () => (await read()).map((budget) => [budget.spent, labelsOf(budget)]),
  );
  measure(
    registry,
    {
      name: 'modelwire_budget_limit',
      help: 'Limits of the budget, in its unit. hard is the override of this period, if there is one.',
      aggregator: 'first',
      labelNames: ['budget', 'unit', 'period', 'limit'],
    },
    async () =>
      (await read()).flatMap((budget) => {
        const limits = { soft: budget.softLimit, hard: budget.overrideLimit ?? budget.hardLimit };
        return Object.entries(limits).flatMap(([limit, value]) =>
          value === null ? [] : ([[value, { ...labelsOf(budget), limit }]] as const),
        );
      }),
  );
}

/** Of the hard limit, or of the soft one where there is none. A budget that admits nothing is used up. */
function usedRatio({ spent, softLimit, hardLimit, overrideLimit }: BudgetState): number {
  const limit = overrideLimit ?? hardLimit ?? softLimit;
  if (limit === null) return 0;
  return limit === 0 ? 1 : spent / limit;
}
