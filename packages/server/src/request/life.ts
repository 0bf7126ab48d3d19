import type { Parsed, TextFields } from '@modelwire/schema';
import type { Context } from 'hono';
import { RequestError, invalid, shuttingDown, toRequestError } from '../errors.ts';
import { randomId } from '../ids.ts';
import type { Kit } from '../kit.ts';
import type { Principal } from '../ports/authenticator.ts';
import { authenticate } from './authenticate.ts';
import { checkAccess } from './access.ts';
import type { Call, Entry, Reply } from './call.ts';
import { queryReader } from './query.ts';
import { logFailure } from './failure.ts';
import { claimKey } from './idempotency.ts';
import { once } from './once.ts';
import { rateHeaders, rateLimited, subjectsOf } from './rate-limit.ts';
import { readJson } from './read-json.ts';
import { respond, respondError } from './respond.ts';
import type { Served } from './served.ts';

/** Where an endpoint is, and how its query is read. */
interface Place<Query> {
  readonly method: string;
  readonly path: string;
  readonly query: (fields: TextFields, unknownFields: 'refuse' | 'keep') => Parsed<Query>;
}

/**
 * The life of one request: named, authenticated, counted, parsed, run, answered, logged. Whatever is thrown on the way
 * becomes the one error shape here.
 */
export function live<Body, Query>(
  served: Served<Body, Query> & Place<Query>,
  kit: Kit,
): (context: Context) => Promise<Response> {
  const { options, inFlight } = kit;
  const readQuery = queryReader((fields) => served.query(fields, options.unknownFields));
  return async ({ req }) => {
    const began = performance.now();
    const requestId = randomId('req_');
    const headers: Record<string, string> = { 'x-request-id': requestId };
    const entry: Entry = { requestId, method: served.method, route: served.path, status: 0, durationMs: 0 };
    const { signal, abort } = linkedSignal(req.raw);
    const leave = inFlight.enter(abort);
    const open = { held: false };
    const over = (): void => {
      leave();
      entry.durationMs = performance.now() - began;
      if (signal().aborted) entry.aborted = true;
      options.log?.(entry);
    };
    try {
      if (inFlight.draining) throw shuttingDown();
      const principal = await authenticate(req.raw.headers.get('authorization'), options.authenticator);
      entry.keyId = principal.keyId;
      entry.project = principal.project;
      if (served.access !== 'any') checkAccess(principal, served.access);
      await countRequest(principal, kit, headers);
      const { body, text } = await parsedBody(served, req.raw, kit);
      const call: Call<Body, Query> = {
        requestId,
        principal,
        params: req.param(),
        query: checked(readQuery(req.raw.url)),
        body,
        get signal() {
          return signal();
        },
        abort,
        entry,
        hold() {
          open.held = true;
          return over;
        },
      };
      const key = served.idempotent === true ? req.raw.headers.get('idempotency-key') : null;
      const run = () => served.handle(call, kit);
      const reply = key === null ? await run() : await runOnce(key, { call, request: req.raw, text, run, kit });
      entry.status = reply.status;
      headers['openai-processing-ms'] = String(Math.round(performance.now() - began));
      return respond(reply, headers);
    } catch (thrown) {
      const error = toRequestError(signal().aborted ? signal().reason : thrown);
      entry.status = error.status;
      logFailure(entry, error);
      return respondError(error, headers);
    } finally {
      if (!open.held) over();
    }
  };
}

async function countRequest(principal: Principal, { options }: Kit, headers: Record<string, string>): Promise<void> {
  if (!options.rateLimiter) return;
  const decision = await options.rateLimiter.take(subjectsOf(principal));
  Object.assign(headers, rateHeaders(decision));
  if (decision.retryAfterMs > 0) throw rateLimited(decision);
}

async function parsedBody<Body, Query>(
  { parse }: Served<Body, Query>,
  request: Request,
  { options }: Kit,
): Promise<{ readonly body: Body; readonly text: string }> {
  if (!parse) return { body: undefined as Body, text: '' };
  const { text, value } = await readJson(request, options.maxBodyBytes);
  return { body: checked(parse(value, options.unknownFields)), text };
}

interface Run {
  readonly call: Pick<Call, 'principal'>;
  readonly request: Request;
  readonly text: string;
  readonly run: () => Reply | Promise<Reply>;
  readonly kit: Kit;
}

/** Without stores a key has nowhere to be kept: then it promises nothing, as everywhere where it is not known. */
async function runOnce(key: string, { call, request, text, run, kit }: Run): Promise<Reply> {
  const store = kit.options.stores?.project(call.principal.project).idempotency;
  if (!store) return run();
  const asked = { method: request.method, url: request.url, body: text };
  const claim = await claimKey(store, key, asked, kit.options.idempotency);
  if ('answer' in claim) return { status: claim.answer.status, kept: claim.answer, replayed: true };
  return once(claim.claimed, run);
}

/** What was parsed, or a 400 that says what was wrong. */
function checked<Value>(parsed: Parsed<Value>): Value {
  if (parsed.ok) return parsed.value;
  const { message, param, code } = parsed.problem;
  throw invalid(param, message, code);
}

/** The request's signal and our own in one, made when first asked for: most requests end before anybody does. */
function linkedSignal(request: Request): {
  readonly signal: () => AbortSignal;
  readonly abort: (reason: unknown) => void;
} {
  const controller = new AbortController();
  let linked = false;
  return {
    signal() {
      if (!linked) {
        linked = true;
        const theirs = request.signal;
        if (theirs.aborted) controller.abort(callerLeft());
        else theirs.addEventListener('abort', () => controller.abort(callerLeft()), { once: true });
      }
      return controller.signal;
    },
    abort: (reason) => controller.abort(reason),
  };
}

/** Nobody reads it; the log does. 499 is what reverse proxies call it. */
function callerLeft(): RequestError {
  return new RequestError('The caller closed the connection.', { status: 499, type: 'aborted', code: 'caller_left' });
}
