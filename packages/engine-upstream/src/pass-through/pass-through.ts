import { Readable } from 'node:stream';
import { RequestError } from '@modelwire/ports';
import type { PassThrough, PassThroughReply, PassThroughRequest, PassThroughTarget } from '@modelwire/ports';
import { optionChecks } from '../presets/option-checks.ts';
import { attemptOrder, hashText, randomHash, reportReply } from '@modelwire/adapter-kit/internal';
import type { Candidate, Permit } from '@modelwire/adapter-kit/internal';
import { connectServer } from '../connect.ts';
import type { Server } from '../connect.ts';
import { exchange } from '../exchange.ts';
import type { Reply } from '../exchange.ts';
import {
  authenticationFailed,
  circuitOpen,
  forwardedFailure,
  statusFault,
  transportFailure,
} from '../attempts/failures.ts';
import type { CatalogEntry, UpstreamPassThroughOptions } from './pass-through-options.ts';
import { isClientError } from '../replies/error-body.ts';
import { readText } from '../replies/reply-text.ts';
import { redact } from '../requests/secrets.ts';
import { resolveCircuitBreakers, resolveServers } from '../presets/settings.ts';
import type { ServerSettings } from '../presets/settings.ts';
import { singleHeaders } from '../requests/single-headers.ts';
import { TransportError } from '../transport-error.ts';
import { assertUnambiguousPath } from '../requests/unambiguous-path.ts';

/** Upstreams with connections of their own. */
interface PassThroughUpstream extends Server {
  readonly servesPath: (path: string) => boolean;
}

/** The model name of the circuit breaker for requests that are forwarded regardless of their model. */
const anyModelName = '*';
/** Maximum size of an error body that is passed on. */
const maxErrorBodyBytes = 256 * 1024;
const chunkBytes = 64 * 1024;

/**
 * Forwards requests to paths that the server does not implement to its upstreams: unchanged bytes, with the credentials of the upstream.
 * Requests are not retried, because their streamed bodies cannot be sent again. Failures of an upstream are counted as for chat.
 *
 * @throws a `TypeError` that names an invalid option.
 */
export function createUpstreamPassThrough(options: UpstreamPassThroughOptions): PassThrough {
  optionChecks.object('options', options, ['upstreams', 'paths', 'catalog', 'circuitBreaker']);
  const { catalog } = options;
  const circuitBreakers = resolveCircuitBreakers(options.circuitBreaker);
  const accepts = pathMatcher('paths', options.paths ?? ['/*']);
  const settings = resolveServers(options.upstreams.map(({ paths, ...server }) => server));
  const upstreams = settings.map((server, index): PassThroughUpstream => ({
    ...connectServer(server),
    servesPath: pathMatcher(`upstreams[${index}].paths`, options.upstreams[index]?.paths ?? []),
  }));
  const byName = new Map(upstreams.map((upstream) => [upstream.settings.name, upstream]));

  function find(path: string, model: string | undefined): PassThroughTarget | undefined {
    const pathUpstream = upstreams.find(({ servesPath }) => servesPath(path));
    const catalogEntries = model === undefined ? [] : (catalog?.find(model) ?? []);
    const candidates = catalogEntries
      .filter(({ upstream }) => !pathUpstream || upstream === pathUpstream.settings.name)
      .map(createCandidate);
    const [chosen] = attemptOrder(candidates, [], { policy: 'weighted', key: randomHash() });
    if (chosen) return { upstream: chosen.upstream, model: chosen.model };
    const defaultUpstream = pathUpstream ?? (upstreams.length === 1 ? upstreams[0] : undefined);
    if (defaultUpstream) return { upstream: defaultUpstream.settings.name, model: undefined };
    return undefined;
  }

  function createCandidate({ upstream, model }: CatalogEntry): CatalogEntry & Candidate {
    const { isPaused, inFlight } = circuitBreakers.get(upstream, model);
    const weight = byName.get(upstream)?.settings.weight ?? 1;
    const hash = hashText(upstream);
    return { upstream, model, name: upstream, hash, weight, isPaused, inFlight, isSlow: () => false };
  }

  return {
    accepts,
    find,
    get mayRenameModels() {
      return catalog?.hasRenamedModels === true;
    },
    models: () => catalog?.otherModels() ?? [],
    async forward({ upstream: name, model }, request) {
      const upstream = byName.get(name);
      if (!upstream) throw new Error(`there is no upstream '${name}'`);
      assertUnambiguousPath(upstream.settings, request.path);
      const breaker = circuitBreakers.get(name, model ?? anyModelName);
      const permit = withFailureReport(breaker.acquire(), request);
      if (!permit) {
        request.reportFailure?.(`circuit breaker ${breaker.state()}`);
        const subject = model === undefined ? `The upstream '${name}'` : `The upstream of the model '${model}'`;
        throw circuitOpen(subject, breaker.retryAfterMs(), breaker.lastFailure());
      }
      return toPassThroughReply({
        reply: await sendRequest(upstream, request, permit),
        server: upstream.settings,
        path: request.path,
        permit,
      });
    },
    async close() {
      await Promise.all(upstreams.map(({ dispatcher }) => dispatcher.close()));
    },
  };
}

/** Matches paths such as `/embeddings` and `/audio/*`. */
function pathMatcher(option: string, patterns: readonly string[]): (path: string) => boolean {
  for (const pattern of patterns) {
    if (!/^\/[^*?#]*\*?$/.test(pattern)) {
      optionChecks.fail(option, "must have paths below /v1 such as '/embeddings' or '/audio/*'");
    }
  }
  return (path) => {
    const [ownPath] = path.split('?', 1);
    return patterns.some((pattern) =>
      pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : ownPath === pattern,
    );
  };
}

/** The same permit, which also reports failures to the request. */
function withFailureReport(permit: Permit | undefined, request: PassThroughRequest): Permit | undefined {
  return (
    permit && {
      ...permit,
      failed(reason) {
        permit.failed(reason);
        request.reportFailure?.(reason);
      },
    }
  );
}

async function sendRequest(
  upstream: PassThroughUpstream,
  { method, path, headers, body, requestId, observer, signal }: PassThroughRequest,
  permit: Permit,
): Promise<Reply> {
  const { settings } = upstream;
  const observation = observer?.startUpstreamAttempt({
    upstream: settings.name,
    model: undefined,
    method,
    origin: settings.origin,
    path: `${settings.basePath}${path.split('?', 1)[0] ?? ''}`,
    number: 1,
  });
  const outgoingHeaders = {
    ...headers,
    ...observation?.headers,
    'x-request-id': requestId,
    ...settings.configuredHeaders,
  };
  const readable = body && Readable.from(body, { objectMode: false, highWaterMark: chunkBytes });
  // The exchange reports errors of the body.
  readable?.on('error', () => undefined);
  try {
    const reply = await exchange(
      upstream,
      {
        method,
        path: `${settings.basePath}${path}`,
        headers: Object.entries(outgoingHeaders).flat(),
        body: readable ?? null,
      },
      signal,
    );
    const { status } = reply;
    observation?.end(status >= 500 ? { status, failure: `status ${status}` } : { status });
    return reply;
  } catch (thrown) {
    readable?.destroy();
    observation?.end(thrown instanceof TransportError ? { failure: thrown.message } : { aborted: true });
    if (signal.aborted) permit.released();
    signal.throwIfAborted();
    throw reportFailure(thrown, settings.name, permit);
  }
}

/** A reply that is being relayed. */
interface RelayedReply {
  readonly reply: Reply;
  readonly server: ServerSettings;
  /** Path of the request, with its query. */
  readonly path: string;
  readonly permit: Permit;
}

/** @throws RequestError for a reply that would mislead the client: a rejected key, or a redirect to another site. */
async function toPassThroughReply(relayed: RelayedReply): Promise<PassThroughReply> {
  const { reply, server, path, permit } = relayed;
  const { status } = reply;
  const headers = singleHeaders(reply.headers, server.secrets);
  const fault = statusFault(status);
  if (fault === undefined) permit.responded();
  else permit.failed(fault);
  if (status === 401 || status === 403) {
    reply.body.release();
    permit.succeeded();
    throw authenticationFailed(status, undefined, server, new Error(`${server.name}: status ${status}`));
  }
  const { location } = headers;
  if (location !== undefined && status >= 300 && status < 400) {
    const rewrittenLocation = rewriteLocation(location, server, path);
    if (rewrittenLocation === undefined) {
      reply.body.release();
      permit.succeeded();
      throw upstreamError(502, 'upstream_error', `The upstream '${server.name}' redirects to another site.`);
    }
    return {
      status,
      headers: { ...headers, location: rewrittenLocation },
      body: streamBody(relayed),
    };
  }
  if (status < 400 || headers['content-encoding'] !== undefined) return { status, headers, body: streamBody(relayed) };
  return { status, ...(await redactErrorBody(relayed, headers)) };
}

/**
 * An error body of an upstream may quote the request, including the key of this server.
 *
 * @throws RequestError for one that is no error as clients expect it.
 */
async function redactErrorBody(
  { reply, server, permit }: RelayedReply,
  { 'content-length': _, ...headers }: Readonly<Record<string, string>>,
): Promise<Pick<PassThroughReply, 'headers' | 'body'>> {
  const text = await readText(reply, maxErrorBodyBytes).catch((thrown: unknown) => {
    throw reportFailure(thrown, server.name, permit);
  });
  permit.succeeded();
  if (text === undefined) {
    throw upstreamError(502, 'upstream_error', `The upstream '${server.name}' failed with status ${reply.status}.`);
  }
  const { status } = reply;
  if (!isClientError(text)) throw forwardedFailure({ status, headers }, text, server);
  const bytes = Buffer.from(redact(text, server.secrets));
  return {
    headers: { ...headers, 'content-length': String(bytes.length) },
    body: singleChunk(bytes),
  };
}

async function* singleChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}

/** The body as it arrives, read only as fast as it is consumed. */
async function* streamBody({ reply: { body }, server, permit }: RelayedReply): AsyncGenerator<Uint8Array> {
  let hasEnded = false;
  try {
    while (await body.ready()) yield* body.take();
    hasEnded = true;
    permit.succeeded();
  } catch (thrown) {
    throw reportFailure(thrown, server.name, permit);
  } finally {
    if (!hasEnded) body.cancel();
    permit.released();
  }
}

/** Converts a failure of the connection to the error to throw, and reports it to the circuit breaker. Returns other errors unchanged. */
function reportFailure(thrown: unknown, server: string, permit: Permit): unknown {
  if (!(thrown instanceof TransportError)) {
    permit.released();
    return thrown;
  }
  const { error, fault } = transportFailure(thrown, server);
  // A body with another length than declared is a fault of the client.
  if (thrown.message.startsWith('UND_ERR_REQ_')) permit.released();
  else reportReply(permit, fault);
  return error;
}

/** A redirect below the base URL, as a path of this server; undefined for any other. */
function rewriteLocation(location: string, { origin, basePath }: ServerSettings, path: string): string | undefined {
  const base = `${origin}${basePath}`;
  const url = URL.canParse(location, `${base}${path}`) ? new URL(location, `${base}${path}`) : undefined;
  if (url?.origin !== origin || !url.pathname.startsWith(`${basePath}/`)) return undefined;
  return `/v1${url.pathname.slice(basePath.length)}${url.search}`;
}

function upstreamError(
  status: number,
  code: string,
  message: string,
  init: {
    readonly cause?: Error;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): RequestError {
  return new RequestError(message, {
    status,
    type: 'server_error',
    code,
    ...init,
  });
}
