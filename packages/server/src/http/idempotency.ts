import { RequestError, invalid, toRequestError } from '../errors.ts';
import { sha256 } from '../digest.ts';
import type { ClaimedStream } from '../call.ts';
import { unrefTimeout } from '../timers.ts';
import type { IdempotencyTimes } from '../options/types.ts';
import type { CachedResponse, ClaimInit, HeldClaim, IdempotencyStore } from '@modelwire/ports';
import type { EventPipe } from '../streaming/event-pipe.ts';
import { stringifyJson } from '@modelwire/adapter-kit/internal';
import { isStorageUnavailable } from '@modelwire/ports';
import type { FormState } from './request-state.ts';
import { eventStream, json } from './reply.ts';
import type { Reply } from './reply.ts';

/** Reports errors that do not affect the response. */
type Report = (what: string, error: unknown) => void;

/**
 * A claimed key. Finish it with the response, release it if the request had no effect, or let it expire if that is unknown. Failures are
 * reported: if the response cannot be stored, only the replay is lost.
 */
export interface IdempotencyClaim {
  finish(response: CachedResponse): Promise<void>;
  release(): Promise<void>;
  /** Stops renewing the claim: the key stays in use until the claim expires, after `claimTtlMs` at most. */
  letExpire(): void;
}

/** What a request with the same key has to repeat. */
interface KeyedRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

/**
 * Claims the `Idempotency-Key` of a request. Returns the stored response if there is one.
 *
 * @throws a 409 for a key that another request used or is using, a 400 for an invalid key.
 */
export async function claimKey(
  store: IdempotencyStore,
  key: string,
  request: KeyedRequest,
  times: IdempotencyTimes,
  report: Report,
): Promise<{ readonly response: CachedResponse } | { readonly claimed: IdempotencyClaim }> {
  assertValidKey(key);
  const ownClaim = { key, token: crypto.randomUUID() };
  const requestFingerprint = await fingerprintOf(request);
  const result = await store.claim({ ...ownClaim, fingerprint: requestFingerprint, claimTtlMs: times.claimTtlMs });
  switch (result.state) {
    case 'completed':
      return { response: result.response };
    case 'acquired': {
      const release = releaseOf(store, ownClaim, report);
      const stopRenewal = renewClaim(store, ownClaim, times);
      return {
        claimed: {
          async finish(response) {
            stopRenewal();
            await store.finish(ownClaim, response, times.retentionMs).catch((error: unknown) => {
              // Not released: the request was carried out, and a retry would do so again.
              report('the response of an idempotency key was not stored', error);
            });
          },
          async release() {
            stopRenewal();
            await release();
          },
          letExpire: stopRenewal,
        },
      };
    }
    case 'streamed':
    case 'in_progress':
      throw keyInUse();
    case 'key_reused':
      throw keyReused();
  }
}

/**
 * Claims the key of a request for a stream, which is created with the claim, or finds the stream that the key was claimed for before.
 *
 * @param resumes Whether only an existing stream is wanted, also one that failed: then the key is not claimed.
 * @throws like `claimKey`. @returns undefined if there is no stream to resume.
 */
export async function claimStream(
  store: IdempotencyStore,
  { key, stream, request, resumes }: StreamClaim,
  { retentionMs }: IdempotencyTimes,
  report: Report,
): Promise<{ readonly joined: string } | { readonly claimed: ClaimedStream } | undefined> {
  assertValidKey(key);
  const fingerprint = await fingerprintOf(request);
  const ownClaim = { key, token: crypto.randomUUID() };
  const result = resumes
    ? await store.find(key, fingerprint)
    : await store.claim({ ...ownClaim, fingerprint, claimTtlMs: retentionMs, stream });
  switch (result?.state) {
    case undefined:
      return undefined;
    case 'streamed':
      return { joined: result.stream };
    case 'acquired':
      return { claimed: { id: stream.id, release: releaseOf(store, ownClaim, report) } };
    case 'key_reused':
      throw keyReused();
    default:
      throw keyInUse();
  }
}

interface StreamClaim {
  readonly key: string;
  readonly stream: NonNullable<ClaimInit['stream']>;
  readonly request: KeyedRequest;
  readonly resumes: boolean;
}

/** Returns the function that releases a claim. Failures are reported: the key expires. */
function releaseOf(store: IdempotencyStore, claim: HeldClaim, report: Report): () => Promise<void> {
  return () => store.release(claim).catch((error: unknown) => report('an idempotency key was not released', error));
}

function assertValidKey(key: string): void {
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid('Idempotency-Key', "Invalid header 'Idempotency-Key': expected 1 to 255 visible ASCII characters.");
  }
}

/** Renews a claim until it is stopped. Claims are short, in case the server crashes, and a response may take longer. */
function renewClaim(
  store: IdempotencyStore,
  ownClaim: HeldClaim,
  { retentionMs, claimTtlMs }: IdempotencyTimes,
): () => void {
  const renewUntil = performance.now() + retentionMs;
  let isStopped = false;
  let clearTimer: () => void;
  const scheduleRenewal = (): void => void (clearTimer = unrefTimeout(claimTtlMs / 3, () => void renew()));
  async function renew(): Promise<void> {
    // Failed renewals are retried: the claim has not expired yet.
    const isLost = await store.renew(ownClaim, claimTtlMs).then(
      (renewed) => !renewed,
      () => false,
    );
    if (!isStopped && !isLost && performance.now() < renewUntil) scheduleRenewal();
  }
  scheduleRenewal();
  return () => {
    isStopped = true;
    clearTimer();
  };
}

export function keyInUse(): RequestError {
  return conflict(
    'A request with this idempotency key is still in progress. Please retry later.',
    'idempotency_key_in_use',
    { 'retry-after': '1' },
  );
}

/** A retry cannot succeed: a header tells clients that retry every 409 not to. */
function keyReused(): RequestError {
  return conflict('This idempotency key was used for another request: choose a new one.', 'idempotency_key_reused', {
    'x-should-retry': 'false',
  });
}

function conflict(message: string, code: string, headers: Readonly<Record<string, string>>): RequestError {
  return new RequestError(message, { status: 409, param: 'Idempotency-Key', code, headers });
}

function fingerprintOf({ method, url, body }: KeyedRequest): Promise<string> {
  const { pathname, search } = new URL(url, 'http://localhost');
  return sha256(`${method} ${pathname}${search}\n${body}`);
}

/** Longer streams are not stored: a retry of such a request runs again. */
const maxStoredLength = 4 * 1024 * 1024;

/**
 * Gives the stored reply of an earlier request with the same idempotency key, or runs the request so that its reply is stored. Without
 * stores there is nowhere to store it, and the key has no effect.
 *
 * @param identity Identifies the content of the body.
 */
export async function replayOrRun(
  { principal, request: { method, url }, server: { options }, idempotencyKey, form }: FormState,
  identity: string,
  run: () => Reply | Promise<Reply>,
): Promise<Reply> {
  if (idempotencyKey === null || !options.stores) return run();
  const store = options.stores.project(principal.project).idempotency;
  const request = { method, url, body: identity };
  const claim = await claimKey(store, idempotencyKey, request, options.idempotency, options.report);
  if ('claimed' in claim) return runIdempotent(claim.claimed, run);
  await form?.discard();
  return { status: claim.response.status, cached: claim.response, isReplayed: true };
}

/**
 * Runs a request whose idempotency key was claimed, and stores its response. A failed request is not stored: its key is released, unless
 * the storage was unavailable. Then the request may have been carried out, so the claim is left to expire, and a retry does not carry it
 * out twice. If the response cannot be stored, it is sent nevertheless.
 */
export async function runIdempotent(claim: IdempotencyClaim, run: () => Reply | Promise<Reply>): Promise<Reply> {
  let reply: Reply;
  try {
    reply = await run();
  } catch (error) {
    await endFailedClaim(error, claim);
    throw error;
  }
  if ('cached' in reply || 'bytes' in reply) {
    // Endpoints that create objects never reply with bytes, which cannot be stored, or with a stored response.
    await claim.release();
    return reply;
  }
  if (!('events' in reply))
    return store(claim, {
      status: reply.status,
      contentType: json,
      body: reply.json ?? (await stringifyJson(reply.body)),
    });
  if (!('done' in reply)) return store(claim, { status: reply.status, contentType: eventStream, body: reply.events });
  return { ...reply, events: withStoredEvents(reply.events, reply.status, claim) };
}

/** Ends the claim of a request that failed. */
async function endFailedClaim(error: unknown, claim: IdempotencyClaim): Promise<void> {
  // Also where the error of the storage is the cause of another.
  if (isStorageUnavailable(toRequestError(error).cause)) claim.letExpire();
  else await claim.release();
}

async function store(claim: IdempotencyClaim, cached: CachedResponse): Promise<Reply> {
  await claim.finish(cached);
  return { status: cached.status, cached, isReplayed: false };
}

/** Passes the events on. Those of a reply that did not fail are stored before their last bytes are sent. */
function withStoredEvents(events: EventPipe, status: number, claim: IdempotencyClaim): EventPipe {
  const chunks: string[] = [];
  let length = 0;
  let hasSettled = false;

  async function settle(): Promise<void> {
    if (hasSettled) return;
    hasSettled = true;
    const failure = await events.done;
    if (failure !== undefined) await endFailedClaim(failure, claim);
    else if (!events.isComplete || length > maxStoredLength) await claim.release();
    else await claim.finish({ status, contentType: eventStream, body: chunks.join('') });
  }
  return {
    async next() {
      const chunk = await events.next();
      length += chunk?.length ?? 0;
      if (length > maxStoredLength) chunks.length = 0;
      else if (chunk !== undefined) chunks.push(chunk);
      if (chunk === undefined || events.isComplete) await settle();
      return chunk;
    },
    get isComplete() {
      return events.isComplete;
    },
    done: events.done,
    onStall: (listener) => events.onStall(listener),
    cancel(reason) {
      events.cancel(reason);
      // Not awaited: a claim that could not be released expires.
      void settle();
    },
  };
}
