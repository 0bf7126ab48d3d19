import { errorBody } from '../errors.ts';
import type { RequestError } from '../errors.ts';
import type { Reply } from './call.ts';

const json = 'application/json';

/** A reply as HTTP. Headers are a plain object: adapters write that without building a `Headers`. */
export function respond(reply: Reply, headers: Record<string, string>): Response {
  if ('events' in reply) {
    headers['content-type'] = 'text/event-stream; charset=utf-8';
    headers['cache-control'] = 'no-cache, no-transform';
    // Reverse proxies that hold answers back (nginx) let these through.
    headers['x-accel-buffering'] = 'no';
    return new Response(reply.events, { status: reply.status, headers });
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
