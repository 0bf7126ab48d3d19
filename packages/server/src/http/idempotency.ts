import { RequestError, invalid } from '../errors.ts';
import { sha256 } from '../digest.ts';
import { unrefTimeout } from '../timers.ts';
import type { IdempotencyTimes } from '../options/types.ts';
import type { HeldClaim, IdempotencyStore, CachedResponse } from '@modelwire/ports';

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
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid('Idempotency-Key', "Invalid header 'Idempotency-Key': expected 1 to 255 visible ASCII characters.");
  }
  const ownClaim = { key, token: crypto.randomUUID() };
  const requestFingerprint = await fingerprintOf(request);
  const result = await store.claim({ ...ownClaim, fingerprint: requestFingerprint, claimTtlMs: times.claimTtlMs });
  switch (result.state) {
    case 'completed':
      return { response: result.response };
    case 'acquired': {
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
            await store
              .release(ownClaim)
              .catch((error: unknown) => report('an idempotency key was not released', error));
          },
          letExpire: stopRenewal,
        },
      };
    }
    case 'streamed':
    case 'in_progress':
      throw conflict(
        'A request with this idempotency key is still in progress. Please retry later.',
        'idempotency_key_in_use',
        { 'retry-after': '1' },
      );
    case 'key_reused':
      // A retry cannot succeed: a header tells clients that retry every 409 not to.
      throw conflict('This idempotency key was used for another request: choose a new one.', 'idempotency_key_reused', {
        'x-should-retry': 'false',
      });
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

function conflict(message: string, code: string, headers: Readonly<Record<string, string>>): RequestError {
  return new RequestError(message, { status: 409, param: 'Idempotency-Key', code, headers });
}

function fingerprintOf({ method, url, body }: KeyedRequest): Promise<string> {
  const { pathname, search } = new URL(url, 'http://localhost');
  return sha256(`${method} ${pathname}${search}\n${body}`);
}
