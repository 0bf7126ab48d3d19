import { errorBody } from '../errors.ts';
import type { RequestError } from '../errors.ts';
import type { Reply } from './call.ts';

export const json = 'application/json';
export const eventStream = 'text/event-stream; charset=utf-8';

/** A reply as HTTP. Headers are a plain object: adapters write that without building a `Headers`. */
export function respond(reply: Reply, headers: Record<string, string>): Response {
  if ('events' in reply) {
    headers['content-type'] = eventStream;
    headers['cache-control'] = 'no-cache, no-transform';
    // Reverse proxies that hold answers back (nginx) let these through.
    headers['x-accel-buffering'] = 'no';
    return new Response(reply.events, { status: reply.status, headers });
  }
  if ('kept' in reply) {
    if (reply.replayed) headers['idempotent-replayed'] = 'true';
    headers['content-type'] = reply.kept.contentType;
    return new Response(reply.kept.body, { status: reply.status, headers });
  }
  headers['content-type'] = json;
  return new Response(JSON.stringify(reply.body), { status: reply.status, headers });
}

export function respondError(error: RequestError, headers: Record<string, string>): Response {
  return new Response(JSON.stringify(errorBody(error)), {
    status: error.status,
    headers: { ...headers, ...error.headers, 'content-type': json },
  });
}
