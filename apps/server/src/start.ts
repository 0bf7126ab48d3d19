import { createServer as createHttp } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { closeAll, createServer, memoryRateLimiter } from '@modelwire/server';
import type { ChatModel, ModelwireServer, ServerOptions, Stores } from '@modelwire/server';
import { docsPage } from '@modelwire/server/docs';
import { pdfReader } from '@modelwire/server/pdf';
import { remoteImages } from '@modelwire/server/remote-images';
import { nodeContinueListener, nodeListener } from '@modelwire/server/node';
import type { NodeListener } from '@modelwire/server/node';
import { openBlobs } from './blobs.ts';
import { ConfigError } from './config/config-error.ts';
import { enginesOf } from './engines.ts';
import { lockFolder } from './folder-lock.ts';
import { modelNamesOf } from './model-names.ts';
import { keysOf } from './keys.ts';
import type { Keys } from './keys.ts';
import { createLogger, requestLog } from './log.ts';
import { causesOf, namesOf } from './logged-error.ts';
import { refusal, refuseInShape } from './refusals.ts';
import type { Settings } from './settings.ts';
import { storageCheck } from './storage-check.ts';
import { speechOf, webSearchOf } from './services.ts';
import { openStores } from './stores.ts';
import { moderationEnginesOf, videoEnginesOf } from './work-engines.ts';

export interface Running {
  /** Without a trailing slash, such as `http://127.0.0.1:8787`. */
  readonly url: string;
  readonly keys: Keys;
  readonly models: () => readonly ChatModel[];
  readonly stores: Stores;
  /**
   * Stops taking requests, lets those that run end, and closes.
   *
   * @throws AggregateError for what could not be closed, when all the rest is.
   */
  stop(): Promise<void>;
}

/** Starts the server that the settings describe and resolves when it listens. One that cannot leaves nothing open, and works on nothing. */
export async function start(settings: Settings): Promise<Running> {
  const opened: (() => Promise<void>)[] = [];
  try {
    return await starting(settings, (close) => opened.push(close));
  } catch (error) {
    for (const close of opened.toReversed()) await close().catch(() => undefined);
    throw error;
  }
}

async function starting(settings: Settings, opened: (close: () => Promise<void>) => void): Promise<Running> {
  const logger = createLogger(settings);
  // Rate limits are counted in this process, so that a second server on the same SQLite file would double them.
  const unlock = settings.database === undefined ? lockFolder(settings.data) : undefined;
  if (unlock) opened(unlock);
  const stores = await openStores(settings);
  opened(() => stores.close());
  const blobs = await openBlobs(settings);
  opened(() => blobs.close());
  const keys = await keysOf(settings, stores.keys);
  const { engines, ready } = await enginesOf(settings, (upstream, why) => {
    logger.warn({ upstream, why }, 'an upstream could not be asked for its models');
  });
  const speech = speechOf(settings);
  const webSearch = webSearchOf(settings);
  const { requestsPerMinute, tokensPerMinute } = settings;
  let listens = false;
  const server = created({
    engines,
    modelAliases: modelNamesOf(settings).aliases,
    keys: keys.authenticator,
    log: requestLog(logger),
    onEventLoopStall: (stall) => logger.warn(stall, 'the event loop was blocked'),
    report: (what, error) => logger.error(namesOf(error), what),
    stores,
    blobs,
    moderationEngines: moderationEnginesOf(settings, engines),
    videoEngines: videoEnginesOf(settings, (what, details) => logger.warn(details, what)),
    ...(settings.moderate !== undefined && { moderate: settings.moderate }),
    ...(settings.remoteImages !== false && { fetchImage: remoteImages() }),
    readPdf: pdfReader(),
    ...(speech && { speech }),
    ...(webSearch && { webSearch }),
    // Upstreams that were never asked for their models would fail the lines of batches, and a job that crashes the server must not keep
    // it from listening.
    worker: settings.worker === false ? false : () => listens && ready(),
    rateLimiter: stores.rateLimiter ?? memoryRateLimiter({ requestsPerMinute, tokensPerMinute }),
    unversionedPaths: true,
    ...(settings.docs !== false && { docs: docsPage() }),
    ...optional(settings, [
      'concurrency',
      'queueLength',
      'queueWaitMs',
      'maxBodyBytes',
      'batchConcurrency',
      'batchesOfProject',
      'batchRequestsPerMinute',
      'batchTokensPerMinute',
      'batchWindowSeconds',
      'batchCancelSeconds',
      'uploadExpiresMs',
      'slowSenderMs',
      'maxSendMs',
      'minSendBytesPerMinute',
      'maxForms',
      'eventLoopStallMs',
      'maxModerationImages',
      'videoExpiresSeconds',
      'audioExpiresSeconds',
      'retentionDays',
      'unknownFields',
      'defaultModel',
      'cors',
    ]),
    ...(settings.jobLeaseMs !== undefined && { jobTimes: { leaseMs: settings.jobLeaseMs } }),
    ...(settings.defaultServiceTier && { defaultTier: settings.defaultServiceTier }),
  });
  opened(() => server.close(0));

  let stopping = false;
  const noSniff = { 'x-content-type-options': 'nosniff' };
  // Both names are common. Liveness: a supervisor restarts the process when this fails. An outage that passes by itself is for /readyz.
  for (const path of ['/healthz', '/health']) {
    server.app.get(path, (context) =>
      stores.hasFailed?.() === true
        ? context.json({ status: 'the database fails again and again: restart the server' }, 503, noSniff)
        : context.json({ status: 'ok' }, 200, noSniff),
    );
  }
  const storage = storageCheck(stores, blobs);
  server.app.get('/readyz', async (context) => {
    const missing = stopping ? 'stopping' : !ready() ? 'waiting for upstreams' : await storage();
    return missing === undefined
      ? context.json({ status: 'ok' }, 200, noSniff)
      : context.json({ status: missing }, 503, noSniff);
  });

  const listener = getRequestListener(server.fetch, { errorHandler: refusal });
  const throughHono: NodeListener = (request, response) => void listener(request, response);
  // Slow senders are looked for every 5 seconds, not 30; a missing Host is refused by us, in our shape.
  const http = createHttp(
    // A checksum over gigabytes takes its time: the connection is probed meanwhile, so that nothing between takes it for dead.
    { connectionsCheckingInterval: 5000, requireHostHeader: false, keepAlive: true, keepAliveInitialDelay: 30_000 },
    nodeListener(server, throughHono),
  );
  http.on('checkContinue', nodeContinueListener(server, throughHono));
  refuseInShape(http);
  // Slow senders: the headers have to be there in time. Bodies, which may be gigabytes, are looked after by the kit.
  http.headersTimeout = 30_000;
  http.requestTimeout = 0;
  http.keepAliveTimeout = 65_000;
  const url = await listening(http, settings);
  listens = true;
  return {
    url,
    keys,
    stores,
    models: () => engines.flatMap((engine) => engine.models()),
    async stop() {
      if (stopping) return;
      // Whoever asks from now on is told so; the port is closed when those that run have ended.
      stopping = true;
      try {
        await closeAll('the server was not stopped cleanly', [
          () => server.close(settings.drainMs),
          () => closeHttp(http),
          () => blobs.close(),
          () => stores.close(),
          async () => unlock?.(),
        ]);
      } catch (error) {
        logger.error({ errors: causesOf(error).map(namesOf) }, 'the server was not stopped cleanly');
        throw error;
      } finally {
        logger.flush();
      }
    },
  };
}

/** What the kit says of its options is meant for whoever wrote the settings. */
function created(options: ServerOptions): ModelwireServer {
  try {
    return createServer(options);
  } catch (error) {
    throw error instanceof TypeError ? new ConfigError(error.message.replace(/^modelAliases/, 'models')) : error;
  }
}

async function closeHttp(http: Server): Promise<void> {
  const closed = new Promise((resolve) => http.close(resolve));
  http.closeIdleConnections();
  // What is left are bytes on their way, and readers that take nothing.
  setTimeout(() => http.closeAllConnections(), 1000).unref();
  await closed;
}

function listening(http: Server, { host, port }: Settings): Promise<string> {
  return new Promise((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        reject(new ConfigError(`port ${port} of ${host} is in use: set PORT to another`));
      else reject(new ConfigError(`cannot listen at ${host}:${port}: ${error.message}`));
    });
    http.listen(port, host, () => {
      const { port: taken } = http.address() as AddressInfo;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${taken}`);
    });
  });
}

function optional<Names extends keyof Settings>(
  settings: Settings,
  names: readonly Names[],
): { [Name in Names]?: NonNullable<Settings[Name]> } {
  return Object.fromEntries(
    names.filter((name) => settings[name] !== undefined).map((name) => [name, settings[name]]),
  ) as { [Name in Names]?: NonNullable<Settings[Name]> };
}
