import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer, memoryRateLimiter } from '@modelwire/server';
import { closeAll } from '@modelwire/server/internal';
import type { ChatModel, ListedModel, Stores, Observer, StorageObserver } from '@modelwire/ports';
import type { ModelwireServer, ServerOptions } from '@modelwire/server';
import { docsPage } from '@modelwire/server/docs';
import { combineObservers, combineStorageObservers, observeBlobs } from '@modelwire/telemetry';
import type { Tracing } from '@modelwire/telemetry/tracing';
import { pdfReader } from '@modelwire/server/pdf';
import { commandRedaction } from '@modelwire/server/redaction';
import { remoteImages } from '@modelwire/server/remote-images';
import { nodeContinueListener, nodeListener } from '@modelwire/server/node';
import { webhookSender } from '@modelwire/server/webhooks';
import { webSocketUpgrades } from '@modelwire/server/websocket';
import { logUnusableBucket, openBlobs } from '../storage/blobs.ts';
import { consoleStatus } from './console-status.ts';
import { createConsoleUrl, loadConsoleFiles } from './console.ts';
import { ConfigError } from '../config/config-error.ts';
import { serverOptionNames } from '../config/server-option-fields.ts';
import { createDatabaseDamage } from '../storage/database-damage.ts';
import { createEmbeddingEngines } from '../engines/embedding-engines.ts';
import { createChatEngines } from '../engines/engines.ts';
import { lockFolder } from '../storage/folder-lock.ts';
import { createHostCheck } from './host-check.ts';
import { splitModels } from '../upstreams/model-names.ts';
import { createOidcProvider } from '../sign-in/oidc-provider.ts';
import { loadApiKeys } from '../keys/keys.ts';
import type { ApiKeys } from '../keys/keys.ts';
import { pagesListener } from './pages.ts';
import type { Page } from './pages.ts';
import { createLogger, requestLog } from '../log/log.ts';
import { createLogDestination } from '../log/log-destination.ts';
import { createMetrics } from '../metrics/metrics.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { startTraces } from '../metrics/tracing.ts';
import { downloadModels } from '../model-download/download-models.ts';
import { flattenErrors, errorLogFields } from '../log/error-log-fields.ts';
import { answerParserErrors } from './http-parser-errors.ts';
import { requireDatabaseFile, requireRecordsOfContents } from '../storage/require-database.ts';
import type { Settings } from '../config/settings.ts';
import type { StartedServer, StartOptions } from './started-server.ts';
import { storageCheck } from '../storage/storage-check.ts';
import { createSpeechEngine, createWebSearch } from '../engines/speech-and-search.ts';
import { openStores } from '../storage/stores.ts';
import { createUpstreamEvents } from '../upstreams/upstream-events.ts';
import { version } from './version.ts';
import type { WorkerContext } from '../workers/worker-context.ts';
import { workerCount } from '../workers/worker-count.ts';
import {
  createModerationEngines,
  createVideoEngines,
  unjudgedCategories,
  unmoderatedCategories,
} from '../engines/moderation-and-video-engines.ts';

/** A server in this process. */
export interface RunningServer extends StartedServer {
  readonly keys: ApiKeys;
  readonly models: () => readonly ChatModel[];
  readonly stores: Stores;
}

/**
 * Starts a server in this process, like `startServer`.
 *
 * @throws ConfigError when `workers` asks for several processes.
 */
export async function start(settings: Settings, options: StartOptions = {}): Promise<RunningServer> {
  if (workerCount(settings) > 1)
    throw new ConfigError('workers: `start` runs a server in one process. Use `startServer`, or set workers to 1.');
  return startInProcess(settings, options);
}

export interface StartInProcessOptions extends StartOptions {
  /** The context of this worker, if the server has several processes. */
  readonly worker?: WorkerContext | undefined;
  /** Changes the options of the server kit, for tests and measurements. */
  readonly modifyServerOptions?: ((options: ServerOptions) => ServerOptions) | undefined;
}

/** Starts a server in this process. */
export async function startInProcess(settings: Settings, options: StartInProcessOptions): Promise<RunningServer> {
  const closers: (() => Promise<void>)[] = [];
  try {
    return await openServer(settings, options, (close) => closers.push(close));
  } catch (error) {
    for (const close of closers.toReversed()) await close().catch(() => undefined);
    throw error;
  }
}

async function openServer(
  configured: Settings,
  { print = () => undefined, worker, modifyServerOptions = (options) => options }: StartInProcessOptions,
  onStartFailure: (close: () => Promise<void>) => void,
): Promise<RunningServer> {
  const logDestination = createLogDestination();
  const logger = createLogger(configured, logDestination, worker?.id);
  // Rate limits are counted in memory: a second server on the same SQLite file would double them.
  // The primary of several workers has the lock.
  const unlock = configured.database === undefined && !worker ? lockFolder(configured.data) : undefined;
  if (unlock) onStartFailure(unlock);
  await requireDatabaseFile(configured);
  const settings = await downloadModels(configured, { print });
  const metrics = createMetrics(settings);
  onStartFailure(async () => metrics?.stop());
  const traces = await startTraces(logger);
  onStartFailure(async () => traces?.close());
  const observer = observerOf(metrics, traces);
  const storageObserver = storageObserverOf(metrics, traces);
  const damaged = Promise.withResolvers<undefined>();
  const damage = createDatabaseDamage({
    path: settings.database === undefined ? join(settings.data, 'modelwire.sqlite') : undefined,
    onDamage(problem, error) {
      logger.error(error === undefined ? {} : errorLogFields(error), problem);
      damaged.resolve(undefined);
    },
  });
  const observeDatabase = (name: string) => damage.observer(storageObserver(name));
  const openedStores = await openStores(settings, observeDatabase, { writer: worker?.sqliteWriter });
  onStartFailure(() => openedStores.close());
  const stores = worker?.share(openedStores) ?? openedStores;
  const openedBlobs = await openBlobs(settings);
  onStartFailure(() => openedBlobs.close());
  await requireRecordsOfContents(settings, openedBlobs, stores);
  const blobsObserver = storageObserver(settings.s3 ? 's3' : 'files');
  const blobs = blobsObserver ? observeBlobs(openedBlobs, blobsObserver) : openedBlobs;
  const keys = await loadApiKeys(settings, stores.keys);
  const upstreamEvents = createUpstreamEvents();
  const { engines, embeddingEngines, ready, loaded, upstreams, passThrough, circuitBreakers } = await createChatEngines(
    settings,
    logger,
    upstreamEvents.onCircuitChange,
  );
  const speech = createSpeechEngine(settings);
  const webSearch = createWebSearch(settings);
  const { requestsPerMinute, tokensPerMinute } = settings;
  const storage = storageCheck(stores, blobs);
  const embeddings = await createEmbeddingEngines(settings, logger, engines, embeddingEngines);
  const videoEngines = await createVideoEngines(settings, circuitBreakers, (what, details) =>
    logger.warn(details, what),
  );
  const moderationEngines = await createModerationEngines(settings, engines, circuitBreakers);
  const identityProvider = settings.console !== false && settings.oidc ? createOidcProvider(settings.oidc) : undefined;
  let isListening = false;
  const serverOptions: ServerOptions = {
    engines,
    modelAliases: splitModels(settings).aliases,
    keys: keys.authenticator,
    log: requestLog(settings, logger),
    ...(observer && { observer }),
    onEventLoopStall: (stall) => logger.warn(stall, 'the event loop was blocked'),
    onBatchPause({ isPaused, resetsAt, ...fields }) {
      if (isPaused)
        logger.warn(
          { ...fields, until: new Date(resetsAt * 1000).toISOString() },
          'a batch waits: its budget is spent',
        );
      else logger.info(fields, 'a batch continues: its budget has enough left again');
    },
    report: (what, error) => {
      if (!damage.isCause(error)) logger.error(errorLogFields(error), what);
    },
    stores,
    blobs,
    embeddingEngines: embeddings,
    moderationEngines,
    videoEngines,
    ...(settings.moderate !== undefined && { moderate: settings.moderate }),
    ...(settings.remoteImages !== false && { fetchImage: remoteImages() }),
    webhooks: {
      sender: webhookSender({ trustedHosts: settings.webhookTrustedHosts }),
      retryDelaysMs: settings.webhookRetryDelaysSeconds?.map((seconds) => seconds * 1000),
    },
    readPdf: pdfReader(),
    ...(passThrough && { passThrough }),
    ...(settings.prices && { prices: settings.prices }),
    ...(speech && { speech }),
    ...(webSearch && { webSearch }),
    ...(settings.redaction && { redaction: commandRedaction(settings.redaction) }),
    // Batch lines would wait in vain while the models of upstreams are unknown, and a job that crashes the process must not prevent it from
    // listening.
    worker:
      settings.worker === false || worker?.runsJobs === false
        ? false
        : () => isListening && damage.problem() === undefined && ready(),
    rateLimiter:
      stores.rateLimiter ??
      worker?.rateLimiter({ requestsPerMinute, tokensPerMinute }) ??
      memoryRateLimiter({ requestsPerMinute, tokensPerMinute }),
    ...(worker && { createEngineQueue: worker.createEngineQueue, onJobQueued: () => worker.onJobQueued() }),
    unversionedPaths: true,
    ...(settings.docs !== false && { docs: docsPage() }),
    ...(identityProvider && { identityProvider }),
    ...(settings.console !== false && {
      console: await loadConsoleFiles(),
      consoleStatus: consoleStatus(settings, upstreams, storage, metrics, worker && (() => worker.readStats())),
    }),
    version,
    ...pickDefined(settings, [...serverOptionNames, 'cors', 'resumableStreams']),
    ...(settings.jobLeaseMs !== undefined && { jobTimes: { leaseMs: settings.jobLeaseMs } }),
  };
  const server = createApiServer(modifyServerOptions(serverOptions));
  void damaged.promise.then(() => server.stopJobs());
  onStartFailure(() => server.close(0));
  // One worker publishes them, so that receivers get each once.
  if (worker?.isShown !== false) upstreamEvents.publishTo(server);
  worker?.attach({
    stats: () => server.stats(),
    wakeWorker: () => server.wakeWorker(),
    metrics: async () => (await metrics?.values()) ?? [],
  });

  let isStopping = false;
  const liveness: Page = () =>
    stores.hasFailed?.() === true
      ? { status: 503, body: { status: 'the database fails repeatedly: restart the server' } }
      : { status: 200, body: { status: 'ok' } };
  const pages = new Map<string, Page>([
    // A supervisor restarts the process when these fail; outages of dependencies only affect `/readyz`. Both names are common.
    ['/healthz', liveness],
    ['/health', liveness],
    [
      '/readyz',
      async () => {
        if (isStopping) return { status: 503, body: { status: 'stopping' } };
        const [problems, { status, ...details }] = await Promise.all([storage(), upstreams.report()]);
        const problem = damage.problem() ?? problems.database ?? problems.files;
        if (problem !== undefined) return { status: 503, body: { status: problem, ...details } };
        return status === 'unavailable'
          ? { status: 503, body: { status: 'upstreams unavailable', ...details } }
          : { status: 200, body: { status, ...details } };
      },
    ],
  ]);

  const upgrades = webSocketUpgrades(server);
  const { host, allowedHosts = [] } = settings;
  const publicHosts = identityProvider ? [identityProvider.publicUrl.hostname] : [];
  const hostCheck = createHostCheck({ host, allowedHosts: [...allowedHosts, ...publicHosts] });
  // An import of node:http would also load the fetch of Node.js, which takes 40 ms.
  // Check for slow senders every 5 s instead of 30 s; a missing Host header is answered by us, with a JSON error.
  const http = process.getBuiltinModule('node:http').createServer(
    // TCP keep-alive: proxies do not drop the connection while a checksum over gigabytes is computed.
    {
      connectionsCheckingInterval: 5000,
      requireHostHeader: false,
      keepAlive: true,
      keepAliveInitialDelay: 30_000,
      shouldUpgradeCallback: upgrades.accepts,
    },
    hostCheck.listener(pagesListener(pages, nodeListener(server), server.report)),
  );
  http.on('checkContinue', hostCheck.listener(pagesListener(pages, nodeContinueListener(server), server.report)));
  // Older Node versions would hand over requests for every upgrade, such as `h2c`, and not answer them.
  if (supportsUpgradeCallback) http.on('upgrade', hostCheck.upgradeListener(upgrades.listener));
  answerParserErrors(http);
  // Node limits the time for headers. The server kit limits the time for bodies, which may be gigabytes.
  http.headersTimeout = 30_000;
  http.requestTimeout = 0;
  http.keepAliveTimeout = 65_000;
  if (metrics) {
    const page = metrics.page({
      server,
      http,
      stores,
      upstreams,
      authenticator: keys.authenticator,
      runtimes: () => [engines, embeddings].flat().flatMap((engine): readonly ListedModel[] => engine.models()),
      models: () =>
        [...engines, ...embeddings, ...videoEngines].flatMap((engine) => engine.models().map(({ id }) => id)),
      readAll: worker && (() => worker.readMetrics()),
    });
    pages.set('/metrics', page);
  }
  await loaded;
  const url = await listen(http, settings);
  isListening = true;
  if (worker?.isShown !== false) {
    const unmoderated = unmoderatedCategories(settings, moderationEngines);
    if (unmoderated.length > 0)
      logger.warn(
        { categories: unmoderated },
        'moderate ignores these categories in texts, because the moderation model does not judge them; to cover them, set moderation.judge to a guard model',
      );
    void logUnusableBucket(settings, openedBlobs, logger);
    void identityProvider?.connect().catch((error: unknown) => {
      // People sign in with a key until it can be used.
      logger.error(errorLogFields(error), error instanceof Error ? error.message : 'the identity provider failed');
    });
  }
  return {
    url,
    consoleUrl:
      settings.console === false || worker?.isShown === false
        ? undefined
        : await createConsoleUrl(server, url, keys.signInKey).catch((error: unknown) => {
            // The server is usable without it: people sign in with a key.
            logger.error(errorLogFields(error), 'the sign-in code of the console was not created');
            return `${url}/console/`;
          }),
    keys,
    stores,
    models: () => engines.flatMap((engine) => engine.models()),
    unjudgedCategories: unjudgedCategories(moderationEngines),
    async stop() {
      if (isStopping) return;
      // New requests get a 503 from now on; the port is closed when running requests have ended.
      isStopping = true;
      try {
        await closeAll('the server did not stop cleanly', [
          () => server.close(settings.drainMs),
          async () => metrics?.stop(),
          async () => traces?.close(),
          () => upgrades.close(),
          () => closeHttp(http),
          () => blobs.close(),
          () => stores.close(),
          async () => unlock?.(),
        ]);
      } catch (error) {
        logger.error({ errors: flattenErrors(error).map(errorLogFields) }, 'the server did not stop cleanly');
        throw error;
      } finally {
        await logDestination.flush();
      }
    },
  };
}

function observerOf(metrics: Metrics | undefined, traces: Tracing | undefined): Observer | undefined {
  return metrics && traces ? combineObservers(metrics.observer, traces.observer) : (metrics ?? traces)?.observer;
}

function storageObserverOf(
  metrics: Metrics | undefined,
  traces: Tracing | undefined,
): (storage: string) => StorageObserver | undefined {
  if (!metrics || !traces) return (storage) => (metrics ?? traces)?.storage(storage);
  return (storage) => combineStorageObservers(metrics.storage(storage), traces.storage(storage));
}

/** Whether Node lets a server choose which upgrades it accepts. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const supportsUpgradeCallback = major > 24 || (major === 24 && minor >= 9) || (major === 22 && minor >= 21);

/** The server kit throws TypeError for invalid options: the messages are addressed to the operator. */
function createApiServer(options: ServerOptions): ModelwireServer {
  try {
    return createServer(options);
  } catch (error) {
    throw error instanceof TypeError ? new ConfigError(error.message.replace(/^modelAliases/, 'models')) : error;
  }
}

async function closeHttp(http: Server): Promise<void> {
  const closed = new Promise((resolve) => http.close(resolve));
  http.closeIdleConnections();
  // Connections that remain are transferring their last bytes, or their clients do not read.
  setTimeout(() => http.closeAllConnections(), 1000).unref();
  await closed;
}

function listen(http: Server, { host, port }: Settings): Promise<string> {
  return new Promise((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        reject(new ConfigError(`Port ${port} on ${host} is in use. Set PORT to another port.`));
      else reject(new ConfigError(`Cannot listen on ${host}:${port}: ${error.message}`));
    });
    http.listen(port, host, () => {
      const { port: actualPort } = http.address() as AddressInfo;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`);
    });
  });
}

function pickDefined<Names extends keyof Settings>(
  settings: Settings,
  names: readonly Names[],
): { [Name in Names]?: NonNullable<Settings[Name]> } {
  return Object.fromEntries(
    names.filter((name) => settings[name] !== undefined).map((name) => [name, settings[name]]),
  ) as { [Name in Names]?: NonNullable<Settings[Name]> };
}
