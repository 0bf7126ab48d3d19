import { Readable } from 'node:stream';
import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import { RequestError } from '@modelwire/ports';
import type { PassThrough, PassThroughReply, PassThroughRequest, PassThroughTarget } from '@modelwire/ports';
import { checked } from './checked.ts';
import { exchange, TransportError } from './exchange.ts';
import type { Reply, ReplyHeaders } from './exchange.ts';
import { askingOrder } from './order.ts';
import type { UpstreamPassThroughOptions } from './pass-through-options.ts';
import { readText } from './reply-text.ts';
import { redacted } from './secrets.ts';
import { resolveServers } from './settings.ts';
import type { ServerSettings } from './settings.ts';

/** Upstreams with connections of their own. */
interface PassThroughUpstream {
  readonly settings: ServerSettings;
  readonly dispatcher: Dispatcher;
  readonly servesPath: (path: string) => boolean;
}

/** A longer body of an error is not passed on. */
const maxErrorBytes = 256 * 1024;
const chunkBytes = 64 * 1024;

/**
 * Forwards requests to paths that the server does not serve itself to its upstreams: bytes as they are, with the credentials of the
 * upstream. Nothing is retried, as a body that has been sent is gone.
 *
 * @throws a `TypeError` that names the option when one is invalid.
 */
export function createUpstreamPassThrough(options: UpstreamPassThroughOptions): PassThrough {
  checked.object('options', options, ['upstreams', 'paths', 'catalog']);
  const { catalog } = options;
  const accepts = pathMatcher('paths', options.paths ?? ['/*']);
  const settings = resolveServers(options.upstreams.map(({ paths, ...server }) => server));
  const upstreams = settings.map((server, index): PassThroughUpstream => ({
    settings: server,
    dispatcher: new Pool(server.origin, {
      connections: server.connections,
      connect: { timeout: server.timeouts.connect },
      allowH2: false,
    }),
    servesPath: pathMatcher(`upstreams[${index}].paths`, options.upstreams[index]?.paths ?? []),
  }));
  const byName = new Map(upstreams.map((upstream) => [upstream.settings.name, upstream]));

  function find(path: string, model: string | undefined): PassThroughTarget | undefined {
    const ofPath = upstreams.find(({ servesPath }) => servesPath(path));
    const serving = model === undefined ? [] : (catalog?.find(model) ?? []);
    const [chosen] = askingOrder(
      serving
        .filter(({ upstream }) => !ofPath || upstream === ofPath.settings.name)
        .map((entry) => ({ ...entry, weight: byName.get(entry.upstream)?.settings.weight ?? 1 })),
      [],
      Math.random,
    );
    if (chosen) return { upstream: chosen.upstream, model: chosen.model };
    const always = ofPath ?? (upstreams.length === 1 ? upstreams[0] : undefined);
    if (always) return { upstream: always.settings.name, model: undefined };
    if (model !== undefined && catalog?.isComplete === false) throw modelsUnknown();
    return undefined;
  }

  return {
    accepts,
    find,
    get mayRename() {
      return catalog?.hasRenamedModels === true;
    },
    models: () => catalog?.otherModels() ?? [],
    async forward({ upstream: name }, request) {
      const upstream = byName.get(name);
      if (!upstream) throw new Error(`there is no upstream '${name}'`);
      return replyOf(await send(upstream, request), upstream.settings, request.path);
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
      checked.fail(option, "must have paths below /v1 such as '/embeddings' or '/audio/*'");
    }
  }
  return (path) => {
    const [ownPath] = path.split('?', 1);
    return patterns.some((pattern) =>
      pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : ownPath === pattern,
    );
  };
}

async function send({ settings, dispatcher }: PassThroughUpstream, request: PassThroughRequest): Promise<Reply> {
  const { method, path, headers, body, requestId, signal } = request;
  const sent = { ...headers, 'x-request-id': requestId, ...settings.configuredHeaders };
  const readable = body && Readable.from(body, { objectMode: false, highWaterMark: chunkBytes });
  // Whatever ends the body, the exchange tells of it.
  readable?.on('error', () => undefined);
  try {
    return await exchange(
      dispatcher,
      {
        method,
        path: `${settings.basePath}${path}`,
        headers: Object.entries(sent).flat(),
        body: readable ?? null,
        ...settings.timeouts,
      },
      signal,
    );
  } catch (thrown) {
    readable?.destroy();
    signal.throwIfAborted();
    throw thrown instanceof TransportError ? connectionFailure(thrown, settings.name) : thrown;
  }
}

/** @throws RequestError for a reply that would mislead the client: about its key, or to another site. */
async function replyOf(reply: Reply, server: ServerSettings, path: string): Promise<PassThroughReply> {
  const { status } = reply;
  const headers = singleHeaders(reply.headers);
  if (status === 401 || status === 403) {
    reply.body.release();
    throw upstreamError(
      502,
      'upstream_authentication_failed',
      `The upstream '${server.name}' refused this server's credentials (status ${status}).`,
    );
  }
  const { location } = headers;
  if (location !== undefined && status >= 300 && status < 400) {
    const own = locationHere(location, server, path);
    if (own === undefined) {
      reply.body.release();
      throw upstreamError(502, 'upstream_error', `The upstream '${server.name}' redirects to another site.`);
    }
    return { status, headers: { ...headers, location: own }, body: piecesOf(reply, server.name) };
  }
  if (status < 400 || headers['content-encoding'] !== undefined) {
    return { status, headers, body: piecesOf(reply, server.name) };
  }
  return { status, ...(await errorBody(reply, headers, server)) };
}

/** An upstream may quote what it was sent, this server's key for it among that. */
async function errorBody(
  reply: Reply,
  { 'content-length': _, ...headers }: Readonly<Record<string, string>>,
  server: ServerSettings,
): Promise<Pick<PassThroughReply, 'headers' | 'body'>> {
  const text = await readText(reply, maxErrorBytes).catch((thrown: unknown) => {
    throw thrown instanceof TransportError ? connectionFailure(thrown, server.name) : thrown;
  });
  if (text === undefined) {
    throw upstreamError(502, 'upstream_error', `The upstream '${server.name}' failed with status ${reply.status}.`);
  }
  const bytes = Buffer.from(redacted(text, server.secrets));
  return { headers: { ...headers, 'content-length': String(bytes.length) }, body: onePiece(bytes) };
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}

/** The body as it arrives, read no faster than it is taken. */
async function* piecesOf({ body }: Reply, server: string): AsyncGenerator<Uint8Array> {
  let hasEnded = false;
  try {
    while (await body.ready()) yield* body.take();
    hasEnded = true;
  } catch (thrown) {
    throw thrown instanceof TransportError ? brokenOff(thrown, server) : thrown;
  } finally {
    if (!hasEnded) body.cancel();
  }
}

/** A redirect below the base URL, as a path of this server; undefined for any other. */
function locationHere(location: string, { origin, basePath }: ServerSettings, path: string): string | undefined {
  const base = `${origin}${basePath}`;
  const url = URL.canParse(location, `${base}${path}`) ? new URL(location, `${base}${path}`) : undefined;
  if (url?.origin !== origin || !url.pathname.startsWith(`${basePath}/`)) return undefined;
  return `/v1${url.pathname.slice(basePath.length)}${url.search}`;
}

function singleHeaders(headers: ReplyHeaders): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [[name, typeof value === 'string' ? value : value.join(', ')] as const];
  });
  return Object.fromEntries(entries);
}

function connectionFailure(error: TransportError, server: string): RequestError {
  const cause = new Error(`${server}: ${error.message} at ${error.at}`);
  if (error.timeout) {
    return upstreamError(504, 'upstream_timeout', `The upstream '${server}' did not respond in time.`, { cause });
  }
  return upstreamError(503, 'upstream_unavailable', `The upstream '${server}' is unreachable.`, {
    cause,
    headers: { 'retry-after': '1' },
  });
}

function brokenOff(error: TransportError, server: string): RequestError {
  const cause = new Error(`${server}: ${error.message} at ${error.at}`);
  return upstreamError(502, 'upstream_stream_interrupted', `The upstream '${server}' broke off its reply.`, { cause });
}

function modelsUnknown(): RequestError {
  return upstreamError(503, 'upstream_unavailable', 'The models of an upstream are not known yet.', {
    headers: { 'retry-after': '1' },
  });
}

function upstreamError(
  status: number,
  code: string,
  message: string,
  init: { readonly cause?: Error; readonly headers?: Readonly<Record<string, string>> } = {},
): RequestError {
  return new RequestError(message, { status, type: 'server_error', code, ...init });
}
