import { Hono } from 'hono';
import { endpointsOf } from './endpoints.ts';
import { toRequestError, unknownPath, wrongMethod } from './errors.ts';
import { randomId } from './ids.ts';
import { createKit } from './kit.ts';
import { openApiDocument } from './openapi.ts';
import { resolveOptions } from './options.ts';
import { startRemoval } from './removal.ts';
import type { ServerOptions } from './options.ts';
import { respondError } from './request/respond.ts';

export interface ModelwireServer {
  /** The whole service as a web-standard handler: for Node through an adapter, Bun, Deno, Workers, or another app. */
  readonly fetch: (request: Request, ...rest: unknown[]) => Response | Promise<Response>;
  /** The same as a Hono app, to mount in another: `app.route('/', server.app)`. */
  readonly app: Hono;
  /** Requests that are not over, streams included. */
  readonly inFlight: () => number;
  /** Answers 503 from now on and resolves when what runs is over, or was ended after `timeoutMs`. Default 30,000. */
  drain(timeoutMs?: number): Promise<void>;
  /** Drains, writes what is left of usage, and closes the engines. Stores are yours to close. */
  close(timeoutMs?: number): Promise<void>;
}

/**
 * The service over your engines: validation, streaming, errors, limits, `/v1/…`, `/openapi.json` and `/docs`.
 *
 * @throws TypeError for options that make no sense.
 */
export function createServer(given: ServerOptions): ModelwireServer {
  const options = resolveOptions(given);
  const kit = createKit(options);
  const app = new Hono();
  const endpoints = endpointsOf(options);
  const removal = startRemoval(options);
  const methods = new Map<string, string[]>();
  for (const endpoint of endpoints) {
    const path = honoPath(endpoint.path);
    app.on(endpoint.method, path, endpoint.handler(kit));
    methods.set(path, [...(methods.get(path) ?? []), endpoint.method]);
  }
  for (const [path, allowed] of methods) {
    app.all(path, ({ req }) => fail(wrongMethod(req.method, req.path, allowed)));
  }
  const document = JSON.stringify(openApiDocument(endpoints, options.version));
  app.get('/openapi.json', (context) => context.body(document, 200, { 'content-type': 'application/json' }));
  for (const [path, { type, body }] of Object.entries(options.docs ?? {})) {
    app.get(path, (context) =>
      context.body(body, 200, { 'content-type': type, 'content-security-policy': docsPolicy }),
    );
  }
  app.notFound(({ req }) => fail(unknownPath(req.method, req.path)));
  app.onError((error) => fail(error));

  const drain = (timeoutMs = 30_000) => kit.inFlight.drain(timeoutMs);
  return {
    app,
    fetch: (request, ...rest) => app.fetch(request, ...rest),
    inFlight: () => kit.inFlight.count,
    drain,
    async close(timeoutMs) {
      await drain(timeoutMs);
      removal.stop();
      await kit.meter?.flush();
      await Promise.all(options.engines.map(async (engine) => engine.close?.()));
    },
  };

  /** What no endpoint answered. */
  function fail(thrown: unknown): Response {
    const error = toRequestError(thrown);
    return respondError(error, { 'x-request-id': randomId('req_') });
  }
}

/** The reference page asks nothing of anybody but this server. */
const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/** `{name}` as `:name`. A model's id may hold slashes, so it takes the rest of the path. */
function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'model' ? ':model{.+}' : `:${name}`));
}
