import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { memoryRateLimiter } from '@modelwire/server';
import { closeAll } from '@modelwire/server/internal';
import { openSqliteWriter } from '@modelwire/store-sqlite/internal';
import type { SqliteWriter } from '@modelwire/store-sqlite/internal';
import { ConfigError } from '../config/config-error.ts';
import { lockFolder } from '../storage/folder-lock.ts';
import { createLogger } from '../log/log.ts';
import { createLogDestination } from '../log/log-destination.ts';
import { requireDatabaseFile } from '../storage/require-database.ts';
import type { Settings } from '../config/settings.ts';
import type { ServerSummary, StartedServer } from '../start/started-server.ts';
import { asConfigError } from '../storage/stores.ts';
import { createConnection } from './connection.ts';
import type { Connection, Message } from './connection.ts';
import { createEngineSlots } from './engine-slots.ts';
import { withTimeout } from './with-timeout.ts';
import { createPrimaryMetrics } from './primary-metrics.ts';
import type { PrimaryMethods, StartFailure, WorkerMethods } from './protocol.ts';
import { sumStats } from './sum-stats.ts';

interface RunningWorker {
  readonly id: number;
  readonly process: Worker;
  readonly connection: Connection<WorkerMethods>;
  /** Resolves with whether it exited with the code 0. */
  readonly exited: Promise<boolean>;
  /** Whether it can be called. */
  isReady: boolean;
}

type ExitReason = { readonly code: number | null; readonly signal: string | null } | { readonly error: string };

/** Under `node --watch`, processes also send the files that they loaded. */
interface WatchReport {
  readonly length?: undefined;
}

const firstRestartMs = 500;
const longestRestartMs = 30_000;
/** Crashes that are longer ago do not delay a restart. */
const crashMemoryMs = 60_000;
/** How long workers may take to exit after the drain. */
const exitMs = 10_000;

/**
 * Starts a server of several processes: workers serve requests; this process, the primary, gives them connections in turn, owns what they
 * share, and replaces those that exit (docs/decisions/0021). Resolves when all workers listen.
 *
 * @throws ConfigError like `start`, and what the first worker throws that does not start.
 */
export async function startWorkers(settings: Settings, count: number): Promise<StartedServer> {
  const closers: (() => Promise<void> | void)[] = [];
  try {
    return await startPrimary(settings, count, (close) => closers.push(close));
  } catch (error) {
    for (const close of closers.toReversed()) await Promise.resolve(close()).catch(() => undefined);
    throw error;
  }
}

async function startPrimary(
  settings: Settings,
  count: number,
  onStartFailure: (close: () => Promise<void> | void) => void,
): Promise<StartedServer> {
  const logDestination = createLogDestination();
  const logger = createLogger(settings, logDestination);
  const unlock = settings.database === undefined ? lockFolder(settings.data) : undefined;
  if (unlock) onStartFailure(unlock);
  const writer = settings.database === undefined ? await openWriter(settings) : undefined;
  if (writer) onStartFailure(() => writer.close());
  const metrics = createPrimaryMetrics();
  onStartFailure(() => metrics.stop());
  const slots = createEngineSlots();
  const { requestsPerMinute, tokensPerMinute } = settings;
  const rateLimiter = memoryRateLimiter({ requestsPerMinute, tokensPerMinute });
  const workers = new Map<number, RunningWorker>();
  const restarts = new Set<NodeJS.Timeout>();
  const crashes = new Map<number, readonly number[]>();
  let isStopping = false;

  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ exec: workerFile(), args: [] });

  const readyWorkers = (): readonly RunningWorker[] => [...workers.values()].filter(({ isReady }) => isReady);

  /** Asks all workers that are ready. Those that do not respond in time, or exit, are left out. */
  async function askAll<Result>(ask: (worker: Connection<WorkerMethods>) => Promise<Result>): Promise<Result[]> {
    const answers = await Promise.allSettled(readyWorkers().map(({ connection }) => withTimeout(ask(connection))));
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  }

  /** Resolves when the worker listens. Restarts it when it cannot be started, or exits. */
  async function startWorker(id: number): Promise<ServerSummary> {
    const { promise, resolve, reject } = Promise.withResolvers<ServerSummary>();
    let child: Worker;
    try {
      child = cluster.fork();
    } catch (error) {
      restart(id, { error: messageOf(error) });
      throw error;
    }
    const methods: PrimaryMethods = {
      begin: () => ({ id, settings, runsJobs: settings.worker !== false && id === 1, isShown: id === 1 }),
      ready() {
        worker.isReady = true;
        slots.add(id, {
          reclaim: (engine) => connection.call('reclaimSlots', engine),
          keep: (engine) => connection.notify('keepSlots', engine),
        });
      },
      started(summary) {
        logger.info({ worker: id, pid: child.process.pid }, 'a worker listens');
        resolve(summary);
      },
      failed: (failure) => reject(errorOf(failure)),
      async write(write) {
        if (!writer) throw new Error('The stores of this server are not in a SQLite file.');
        return { outcome: await writer.run(write), hasFailed: writer.hasFailed() };
      },
      async accessChanged() {
        await askAll((worker) => worker.call('accessChanged', null));
      },
      jobQueued: () => workers.get(1)?.connection.notify('jobQueued', null),
      consumeRequest: (subjects) => rateLimiter.consume(subjects),
      reserveTokens: ({ subjects, demand }) => rateLimiter.reserve(subjects, demand),
      chargeTokens: ({ subjects, tokens }) => void rateLimiter.charge(subjects, tokens),
      enterQueue: (request) => slots.enter(id, request),
      leaveQueue: (request) => slots.leave(id, request),
      releaseSlots: (released) => slots.release(id, released),
      metrics: () =>
        metrics.read(
          readyWorkers().map((worker) => ({
            id: worker.id,
            read: () => withTimeout(worker.connection.call('metrics', null)),
          })),
        ),
      stats: async () => sumStats(await askAll((worker) => worker.call('stats', null))),
    };
    const kill = (): void => void child.process.kill('SIGKILL');
    const connection = createConnection<WorkerMethods>({
      methods: { ...methods },
      send: (messages) =>
        new Promise((sent, failed) => {
          child.send(messages, (error) => (error ? failed(error) : sent()));
        }),
      onSendFailure: kill,
    });
    child.on('message', (messages: readonly Message[] | WatchReport) => {
      if (messages.length !== undefined) connection.receive(messages);
    });
    const exited = Promise.withResolvers<boolean>();
    function onExit(reason: ExitReason): void {
      connection.close();
      workers.delete(id);
      slots.remove(id);
      metrics.remove(id);
      reject(new Error(startFailure(id, reason)));
      exited.resolve('code' in reason && reason.code === 0);
      restart(id, reason);
    }
    child.once('exit', (code: number | null, signal: string | null) => onExit({ code, signal }));
    child.on('error', (error) => {
      // The process could not be created: there is no `exit`.
      if (child.process.pid === undefined && workers.get(id) === worker) onExit({ error: error.message });
    });
    // A worker without a channel cannot serve requests.
    child.once('disconnect', kill);
    const worker: RunningWorker = { id, process: child, connection, exited: exited.promise, isReady: false };
    workers.set(id, worker);
    return promise;
  }

  function restart(id: number, reason: ExitReason): void {
    if (isStopping) return;
    const now = performance.now();
    const recent = (crashes.get(id) ?? []).filter((at) => now - at < crashMemoryMs);
    crashes.set(id, [...recent, now]);
    const restartInMs = recent.length === 0 ? 0 : Math.min(longestRestartMs, firstRestartMs * 2 ** (recent.length - 1));
    logger.error(
      { worker: id, ...reason, restartInMs },
      'error' in reason ? 'a worker could not be started' : 'a worker exited',
    );
    const timer = setTimeout(() => {
      restarts.delete(timer);
      startWorker(id).catch((error: unknown) => {
        if (!isStopping) logger.error({ worker: id, error: messageOf(error) }, 'a worker did not start');
      });
    }, restartInMs);
    restarts.add(timer);
  }

  async function stopWorkers(): Promise<void> {
    isStopping = true;
    for (const timer of restarts) clearTimeout(timer);
    const kill = setTimeout(() => {
      for (const { process: child } of workers.values()) child.process.kill('SIGKILL');
    }, settings.drainMs + exitMs);
    const all = [...workers.values()];
    const results = await Promise.all(
      all.map(async ({ process: child, connection, exited, isReady }) => {
        if (isReady) connection.notify('stop', null);
        else child.process.kill('SIGKILL');
        return (await exited) || !isReady;
      }),
    );
    clearTimeout(kill);
    if (results.includes(false)) throw new Error('a worker did not stop cleanly');
  }

  // The first worker creates missing files, such as the key of the first start, before the others look for them.
  onStartFailure(() => stopWorkers());
  const { url, consoleUrl, keys, modelIds, unjudgedCategories } = await startWorker(1);
  await Promise.all(Array.from({ length: count - 1 }, (_, index) => startWorker(index + 2)));
  let stopping: Promise<void> | undefined;
  return {
    url,
    consoleUrl,
    keys,
    models: () => modelIds.map((id) => ({ id })),
    unjudgedCategories,
    stop: () =>
      (stopping ??= closeAll('the server did not stop cleanly', [
        stopWorkers,
        () => metrics.stop(),
        () => writer?.close(),
        () => unlock?.(),
        () => logDestination.flush(),
      ])),
  };
}

async function openWriter(settings: Settings): Promise<SqliteWriter> {
  const { data, databaseTimeoutMs } = settings;
  await requireDatabaseFile(settings);
  try {
    return await openSqliteWriter({ path: join(data, 'modelwire.sqlite'), operationTimeoutMs: databaseTimeoutMs });
  } catch (error) {
    throw asConfigError(error);
  }
}

function workerFile(): string {
  const moduleUrl = import.meta.url;
  return fileURLToPath(new URL(moduleUrl.endsWith('.ts') ? './worker-process.ts' : './worker-process.js', moduleUrl));
}

function startFailure(id: number, reason: ExitReason): string {
  return 'error' in reason
    ? `worker ${id} could not be started: ${reason.error}`
    : `worker ${id} exited while it started (${reason.signal ?? reason.code})`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function errorOf({ message, isConfigError }: StartFailure): Error {
  return isConfigError ? new ConfigError(message) : new Error(message);
}
