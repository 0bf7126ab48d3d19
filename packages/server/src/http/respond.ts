import { errorBody } from '../errors.ts';
import type { LogRecord } from '../call.ts';
import type { RequestError } from '../errors.ts';
import type { Reply } from './reply.ts';
import type { ResponseInit } from './adapters/request-adapter.ts';

export const json = 'application/json';
export const eventStream = 'text/event-stream; charset=utf-8';

type Headers = Record<string, string>;

/** Adds the header that names the upstream that the request went to, if it went to one. */
export function setUpstreamHeader(headers: Headers, { upstream }: LogRecord): void {
  if (upstream === undefined) return;
  headers['x-modelwire-upstream'] = /^[\x20-\x7e]+$/.test(upstream) ? upstream : encodeURIComponent(upstream);
}

export function renderReply(reply: Reply, headers: Headers): ResponseInit {
  const { status } = reply;
  if ('events' in reply) {
    headers['content-type'] = eventStream;
    headers['cache-control'] = 'no-cache, no-transform';
    // Reverse proxies that buffer responses (nginx) do not buffer these.
    headers['x-accel-buffering'] = 'no';
    return { status, headers, body: reply.events };
  }
  if ('cached' in reply) {
    if (reply.isReplayed) headers['idempotent-replayed'] = 'true';
    headers['content-type'] = reply.cached.contentType;
    return { status, headers, body: reply.cached.body };
  }
  if ('bytes' in reply) return { status, headers: Object.assign(headers, reply.headers), body: reply.bytes };
  headers['content-type'] = json;
  return { status, headers, body: reply.json ?? JSON.stringify(reply.body) };
}

export function respondError(error: RequestError, headers: Headers): ResponseInit {
  return {
    status: error.status,
    headers: { ...headers, ...error.headers, 'content-type': json },
    body: JSON.stringify(errorBody(error)),
  };
}
