import type { RateLimiter, Stores } from '@modelwire/ports';
import type { ServerOptions, ServerStats } from '@modelwire/server';
import type { SqliteWriter } from '@modelwire/store-sqlite/internal';
import type { MetricValues } from './primary-metrics.ts';
import type { Settings } from '../config/settings.ts';
import type { Connection } from './connection.ts';
import type { PrimaryMethods, WorkerInit, WorkerMethods } from './protocol.ts';
import { createSharedEngineQueue } from './shared-engine-queue.ts';
import type { SharedEngineQueue } from './shared-engine-queue.ts';
import { createSharedRateLimiter } from './shared-rate-limiter.ts';

/** What a server uses of the other workers when it is one of several. */
export interface WorkerContext extends Pick<WorkerInit, 'id' | 'runsJobs' | 'isShown'> {
  /** Writes through the primary. */
  readonly sqliteWriter: Pick<SqliteWriter, 'run' | 'hasFailed'>;
  /** The stores, whose changes of keys, projects and budgets take effect in all workers before they resolve. */
  share(stores: Stores): Stores;
  rateLimiter(limits: Pick<Settings, 'requestsPerMinute' | 'tokensPerMinute'>): RateLimiter;
  readonly createEngineQueue: NonNullable<ServerOptions['createEngineQueue']>;
  /** Tells the worker that runs the jobs. */
  onJobQueued(): void;
  /** The metrics of all processes in the text format. */
  readMetrics(): Promise<string>;
  /** The statistics of all workers together. */
  readStats(): Promise<ServerStats>;
  /** Makes the server available to the primary. */
  attach(server: AttachedServer): void;
}

export interface AttachedServer {
  stats(): ServerStats;
  wakeWorker(): void;
  metrics(): Promise<MetricValues>;
}

export interface CreatedWorkerContext {
  readonly context: WorkerContext;
  /** What the primary can call. */
  readonly methods: Omit<WorkerMethods, 'stop'>;
}

export function createWorkerContext(
  { id, runsJobs, isShown }: Pick<WorkerInit, 'id' | 'runsJobs' | 'isShown'>,
  primary: Connection<PrimaryMethods>,
): CreatedWorkerContext {
  const onAccessChanged: (() => unknown)[] = [];
  const queues = new Map<string, SharedEngineQueue>();
  const reclaimed = new Set<string>();
  let hasWriterFailed = false;
  let server: AttachedServer | undefined;

  /** A store that also calls its listeners for changes by other workers. */
  function shared<Store extends Pick<Stores['keys'], 'onChange'>>(store: Store): Store {
    store.onChange?.(() => primary.call('accessChanged', null));
    return {
      ...store,
      onChange(listener: () => void) {
        onAccessChanged.push(listener);
        store.onChange?.(listener);
      },
    };
  }
  const context: WorkerContext = {
    id,
    runsJobs,
    isShown,
    sqliteWriter: {
      async run(write) {
        const { outcome, hasFailed } = await primary.call('write', write);
        hasWriterFailed = hasFailed;
        return outcome;
      },
      hasFailed: () => hasWriterFailed,
    },
    share: (stores) => ({ ...stores, keys: shared(stores.keys), budgets: shared(stores.budgets) }),
    rateLimiter: (limits) =>
      createSharedRateLimiter(limits, {
        consumeRequest: (subjects) => primary.call('consumeRequest', subjects),
        reserveTokens: (init) => primary.call('reserveTokens', init),
        chargeTokens: (charge) => primary.notify('chargeTokens', charge),
      }),
    createEngineQueue({ name, index }, limits) {
      const engine = `${index} ${name}`;
      const queue = createSharedEngineQueue(engine, limits, {
        enterQueue: (request) => primary.call('enterQueue', request),
        leaveQueue: (request) => primary.notify('leaveQueue', request),
        releaseSlots: (slots) => primary.notify('releaseSlots', slots),
      });
      queues.set(engine, queue);
      if (reclaimed.has(engine)) queue.reclaim();
      return queue;
    },
    onJobQueued: () => primary.notify('jobQueued', null),
    readMetrics: () => primary.call('metrics', null),
    readStats: () => primary.call('stats', null),
    attach: (attached) => void (server = attached),
  };
  const methods: Omit<WorkerMethods, 'stop'> = {
    accessChanged() {
      for (const listener of onAccessChanged) listener();
    },
    jobQueued: () => server?.wakeWorker(),
    reclaimSlots(engine) {
      reclaimed.add(engine);
      queues.get(engine)?.reclaim();
    },
    keepSlots(engine) {
      reclaimed.delete(engine);
      queues.get(engine)?.keep();
    },
    metrics: async () => (await server?.metrics()) ?? [],
    stats: () => server?.stats() ?? { requestsInFlight: 0, engines: [] },
  };
  return { context, methods };
}
