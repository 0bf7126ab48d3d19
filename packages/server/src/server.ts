import { closeAll, closeInParallel } from './close-all.ts';
import { consoleEndpoints } from './console/endpoints.ts';
import { consolePages } from './console/pages.ts';
import { signInPages } from './console/sign-in-pages.ts';
import { hashKey } from './keys/make-key.ts';
import { handlers, partsOf } from './endpoints.ts';
import { implement, isBatchEndpoint } from './http/implement.ts';
import type { MountedEndpoint } from './http/implement.ts';
import { handlePage } from './http/page.ts';
import type { PageHandler } from './http/page.ts';
import { unknownPath, methodNotAllowed } from './errors.ts';
import { nowInSeconds } from './clock.ts';
import { monitorEventLoop } from './limits/event-loop.ts';
import { createServerContext } from './create-context.ts';
import type { ServerContext } from './context.ts';
import type { InternalDispatch } from './call.ts';
import { openApiDocument } from './http/openapi/document.ts';
import { resolveOptions } from './options/options.ts';
import type { ResolvedServerOptions, ServerOptions } from './options/options.ts';
import { createPathSuggestions } from './http/nearest-path.ts';
import { createRouter, pathOf } from './http/router.ts';
import type { MatchedRoute } from './http/router.ts';
import { createForwardedRoutes } from './resources/pass-through/handlers.ts';
import { createResponseSessions } from './resources/responses/response-sessions.ts';
import type { ResponseSessions } from './resources/responses/response-sessions.ts';
import { startWorker } from './jobs/worker.ts';
import { startCleanup } from './jobs/cleanup.ts';
import { serverStats } from './server-stats.ts';
import type { ServerStats } from './server-stats.ts';
import { webRequest, webResponse } from './http/adapters/web-adapter.ts';
import { batchJobs } from './resources/batches/job.ts';
import { responseJobs } from './resources/responses/job.ts';
import { createSemaphore } from '@modelwire/adapter-kit';
import { videoJobs } from './resources/videos/job.ts';
import type { Worker } from './jobs/worker.ts';
import { webhookJobs } from './webhooks/job.ts';

export interface ModelwireServer {
  /** The server as a web-standard handler, for Bun, Deno, Workers, or an app of Hono or Next.js. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The route of a method and a URL, whose host does not matter, for adapters that skip web-standard requests (`@modelwire/server/node`). */
  findRoute(method: string, url: string): MatchedRoute;
  /**
   * Creates a one-time code that signs in to the console with this key: `/console/#code=…`, valid for ten minutes. Undefined if there is no
   * console, or the key is not valid.
   */
  createSignInCode(key: string): Promise<string | undefined>;
  /** WebSocket connections to `/v1/responses`, for adapters (`@modelwire/server/websocket`). */
  readonly responseSessions: ResponseSessions;
  /**
   * Queues an event of the server for webhooks, such as `upstream.down`. Failures are reported. Does nothing without the option `webhooks`.
   */
  publishEvent(type: string, data: Readonly<Record<string, unknown>>): Promise<void>;
  /** Polls for jobs immediately, after another process has queued one. Does nothing if this server runs no jobs. */
  wakeWorker(): void;
  /** Aborts and releases the jobs that this server runs, and starts no more, for example because the storage cannot be trusted. */
  stopJobs(): Promise<void>;
  /** The current load of the server, for metrics and consoles. Cheap. */
  readonly stats: () => ServerStats;
  /**
   * Responds to new requests with 503, releases jobs, and resolves when all running requests have ended, or were aborted after `timeoutMs`.
   * Default 30,000.
   */
  drain(timeoutMs?: number): Promise<void>;
  /** Called by adapters with errors that cannot be sent to a client. */
  readonly report: (what: string, error: unknown) => void;
  /** Milliseconds after which adapters close the connection of a client that reads nothing of a response. */
  readonly writeTimeoutMs: number;
  /**
   * Drains, writes pending usage, and closes all engines. Stores are not closed.
   *
   * @throws AggregateError with all failures, after everything else is closed.
   */
  close(timeoutMs?: number): Promise<void>;
}

/**
 * Creates a server for your engines: validation, streaming, errors, limits, `/v1/…`, `/openapi.json` and `/docs`.
 *
 * @throws TypeError for invalid options.
 */
export function createServer(serverOptions: ServerOptions): ModelwireServer {
  const options = resolveOptions(serverOptions);
  const endpoints = implement(handlers, partsOf(options));
  const internalDispatches = new Map<string, InternalDispatch>();
  const server = createServerContext(options, {
    internalDispatches,
    wakeWorker,
  });
  for (const { path, internal } of endpoints.filter(isBatchEndpoint)) internalDispatches.set(path, internal(server));
  const worker = startJobs(server);
  const stopCleanup = startCleanup(options);
  const stopEventLoopMonitor = startEventLoopMonitor(options, server);
  const mounted = endpoints.flatMap(({ method, path, handler }) => {
    const handle = handler(server);
    const paths = options.unversionedPaths ? [path, path.replace(/^\/v1/, '')] : [path];
    return paths.map((at) => ({ method, path: at, handle }));
  });
  if (options.console) {
    mounted.push(...consoleEndpoints.map(({ method, path, handler }) => ({ method, path, handle: handler(server) })));
  }
  const suggestPath = createPathSuggestions(endpoints);
  const findForwarded =
    options.passThrough && createForwardedRoutes(options.passThrough, server, { served: mounted, suggestPath });
  const unknown = handlePage(({ method, url }) => {
    throw unknownPath(method, pathOf(url), suggestPath(method, pathOf(url)));
  }, server);
  const documents = Object.entries({ ...options.docs, '/openapi.json': openApiFile(endpoints, server) });
  const pages = [
    ...documents.map(([path, file]) => ({ path, page: documentPage(file) })),
    ...(options.console ? consolePages(options.console) : []),
  ];
  const { identityProvider } = options;
  const findRoute = createRouter({
    endpoints: mounted,
    pages: [
      // Before the pages of the console, which match every path below it.
      ...(options.console && identityProvider ? signInPages(identityProvider, server) : []),
      ...pages.map(({ path, page }) => ({ path, handle: handlePage(page, server) })),
    ],
    notAllowed: (allowed) =>
      handlePage(({ method, url }) => {
        throw methodNotAllowed(method, pathOf(url), allowed, suggestPath(method, pathOf(url)));
      }, server),
    findOther: (method, path) => findForwarded?.(method, path) ?? { handle: unknown, params: {} },
  });
  const responseSessions = createResponseSessions(server);

  /** Polls for jobs immediately, here or in another process, after one was created or changed. */
  function wakeWorker(): void {
    worker?.wake();
    options.onJobQueued?.();
  }
  async function drain(timeoutMs = 30_000): Promise<void> {
    // Other servers can resume jobs, but not requests and batch lines that are at an engine.
    await Promise.all([worker?.stop(timeoutMs), server.inFlight.drain(timeoutMs)]);
  }
  return {
    async fetch(request) {
      const { handle, params } = findRoute(request.method, new URL(request.url).pathname);
      return webResponse(await handle(webRequest(request, params)), request.method);
    },
    findRoute,
    async createSignInCode(key) {
      if (!(await server.sessions.principalOf(hashKey(key)))) return undefined;
      return server.sessions.createCode(hashKey(key));
    },
    async publishEvent(type, data) {
      if (!options.webhooks) return;
      try {
        const event = { id: server.createId('evt_'), type, project: null, created: nowInSeconds(server.clock), data };
        await options.stores?.webhooks.publish(event);
        wakeWorker();
      } catch (error) {
        options.report(`the event ${type} was not published`, error);
      }
    },
    responseSessions,
    wakeWorker: () => worker?.wake(),
    stopJobs: async () => worker?.stop(),
    stats: () => serverStats(server),
    drain,
    report: options.report,
    writeTimeoutMs: options.writeTimeoutMs,
    async close(timeoutMs) {
      const { engines, embeddingEngines, moderationEngines, videoEngines, passThrough, speech, webSearch } = options;
      // An engine of several kinds is closed once.
      const all = new Set([
        ...engines,
        ...embeddingEngines,
        ...moderationEngines,
        ...videoEngines,
        passThrough,
        speech,
        webSearch,
      ]);
      await closeAll('the server was not closed cleanly', [
        () => drain(timeoutMs),
        () => stopEventLoopMonitor?.(),
        stopCleanup,
        () => server.meter.flush(),
        () => server.requestLog.flush(),
        () => server.budgets.stop(),
        () => server.budgets.flush(),
        () =>
          closeInParallel(
            'engines were not closed',
            [...all].map((engine) => () => engine?.close?.()),
          ),
      ]);
    },
  };
}

function startEventLoopMonitor(
  { onEventLoopStall, eventLoopStallMs, report }: ResolvedServerOptions,
  { activeRequests }: ServerContext,
) {
  if (!onEventLoopStall) return undefined;
  return monitorEventLoop({
    thresholdMs: eventLoopStallMs,
    activeRequests,
    onStall(stall) {
      try {
        onEventLoopStall(stall);
      } catch (error) {
        report('onEventLoopStall failed', error);
      }
    },
  });
}

/** The OpenAPI document. Created on demand: that takes longer than the rest of the startup. */
function openApiFile(endpoints: readonly MountedEndpoint[], server: ServerContext): DocumentFile {
  let body: Promise<string> | undefined;
  const create = async (): Promise<string> => {
    const { options, models } = server;
    const model = options.engines.flatMap((engine) => engine.models())[0]?.id;
    const embeddingIds = models.embedding.all().map(({ id }) => id);
    // An upstream lists all of its models, whatever they do.
    const embeddingModel = embeddingIds.find((id) => /embed/i.test(id)) ?? embeddingIds[0];
    return JSON.stringify(await openApiDocument(endpoints, { version: options.version, model, embeddingModel }));
  };
  return {
    type: 'application/json',
    get body() {
      body ??= create();
      // The next request tries again.
      body.catch(() => (body = undefined));
      return body;
    },
  };
}

interface DocumentFile {
  readonly type: string;
  readonly body: string | Promise<string>;
}

const documentPage =
  (file: DocumentFile): PageHandler =>
  async () => ({
    status: 200,
    headers: { 'content-type': file.type, 'content-security-policy': docsContentSecurityPolicy },
    body: await file.body,
  });

/** The reference page loads files from this server only. */
const docsContentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/** The worker of a server; undefined without stores, or if other servers run its jobs. */
function startJobs(server: ServerContext): Worker | undefined {
  const { stores, blobs, worker, jobTimes: times, videoEngines, webhooks, report } = server.options;
  if (!stores || worker === false) return undefined;
  const context = { server, stores, quarantine: createSemaphore(1) };
  const handlers = {
    ...(blobs && { batch: batchJobs(context) }),
    response: responseJobs(context),
    ...(webhooks && { webhook: webhookJobs(context, webhooks) }),
    ...(blobs && videoEngines.length > 0 && { video: videoJobs(context) }),
  };
  const isReady = worker === true ? undefined : worker;
  return startWorker({ jobs: stores.jobs, handlers, times, report, ...(isReady && { isReady }) });
}
