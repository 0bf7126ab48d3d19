import type { Lease, Stores, WebhookAttempt, WebhookDelivery, WebhookOutcome, WebhookRecord } from '@modelwire/ports';
import type { ServerContext } from '../context.ts';
import { guardedJob, neverRemoved, noUnits, occupiesNothing, unobserved } from '../jobs/guarded-job.ts';
import type { GuardContext, GuardedJob } from '../jobs/guarded-job.ts';
import type { JobHandler } from '../jobs/worker.ts';
import type { WebhookOptions } from '../options/types.ts';
import { nowInSeconds } from '../clock.ts';
import { signatureHeaders } from './sign.ts';

/** Deliveries that a server sends at the same time, in total and to one webhook: a slow endpoint does not delay the others. */
const concurrency = 32;
const maxPerWebhook = 4;

/** Delivers events to webhooks: each job is one delivery, each claim one attempt. */
export function webhookJobs(
  context: GuardContext & { readonly server: ServerContext; readonly stores: Stores },
  options: WebhookOptions,
): JobHandler {
  const { server } = context;
  const { observer, report } = server.options;
  const { webhooks: store } = context.stores;
  const { sender, retryDelaysMs = defaultRetryDelaysMs } = options;

  async function attempt(
    webhook: WebhookRecord,
    delivery: WebhookDelivery,
    signal: AbortSignal,
  ): Promise<WebhookAttempt> {
    const at = nowInSeconds(server.clock);
    const startedAt = performance.now();
    const attemptResult = (status: number | null, error: string | null): WebhookAttempt => ({
      at,
      durationMs: Math.round(performance.now() - startedAt),
      status,
      error,
    });
    const { event: id, payload: body } = delivery;
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'modelwire-webhooks',
      ...signatureHeaders({ id, timestamp: at, body }, secretsOf(webhook, at)),
    };
    try {
      const status = await sender.send({ url: new URL(webhook.url), headers, body, signal });
      return attemptResult(status, status >= 200 && status < 300 ? null : `status ${status}`);
    } catch (error) {
      signal.throwIfAborted();
      return attemptResult(null, error instanceof Error ? error.message : 'unknown error');
    }
  }

  function outcomeOf({ error }: WebhookAttempt, lease: Lease): WebhookOutcome {
    if (error === null) return { status: 'succeeded' };
    const retryAfterMs = retryDelayMs(lease.attempt, retryDelaysMs);
    if (retryAfterMs === undefined) return { status: 'failed' };
    return { retryAfterMs, nextAttempt: nowInSeconds(server.clock) + Math.ceil(retryAfterMs / 1000) };
  }

  return {
    concurrency,
    maxPerProject: maxPerWebhook,
    isAlwaysReady: true,
    async run(lease, signal, setWaiting) {
      const delivery = await store.delivery(lease.id);
      // Deleted meanwhile, with its jobs.
      if (delivery) await guardedJob(context, { lease, signal, setWaiting }, deliveryJob(delivery, lease));
    },
  };

  /** Its attempts are those of the retry schedule, and are counted by their outcomes. */
  function deliveryJob(delivery: WebhookDelivery, lease: Lease): GuardedJob<undefined> {
    return {
      access: 'unchecked',
      attempts: 'unlimited',
      units: noUnits,
      acquire: occupiesNothing,
      observe: unobserved,
      onStop: 'finish',
      removal: neverRemoved,
      async fail() {
        await store.record(lease, undefined, { status: 'failed' });
      },
      async run({ signal }) {
        const webhook = await store.get(delivery.webhook);
        if (!webhook?.isEnabled) {
          await store.record(lease, undefined, { status: 'canceled' });
          return;
        }
        const result = await attempt(webhook, delivery, signal);
        const outcome = outcomeOf(result, lease);
        await store.record(lease, result, outcome);
        const willRetry = 'retryAfterMs' in outcome;
        observer?.webhookAttempted?.({
          type: delivery.type,
          outcome: willRetry ? 'retried' : outcome.status === 'succeeded' ? 'succeeded' : 'failed',
          durationMs: result.durationMs,
        });
        if (!willRetry && result.error !== null) {
          report(`an event was not delivered to the webhook ${webhook.id}`, new Error(result.error));
        }
      },
    };
  }
}

function secretsOf({ secret, previousSecret, previousValidUntil }: WebhookRecord, at: number): readonly string[] {
  return previousSecret !== null && (previousValidUntil ?? 0) > at ? [secret, previousSecret] : [secret];
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** 10 attempts in about 23 hours. */
export const defaultRetryDelaysMs: readonly number[] = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  3 * hour,
  6 * hour,
  12 * hour,
];

/** How much a delay varies, so that the retries after an outage do not arrive together. */
const jitter = 0.2;

/** Milliseconds until the next attempt; undefined after the last one. `attempt`: the one that failed, from 1. */
export function retryDelayMs(attempt: number, delays: readonly number[], random = Math.random): number | undefined {
  const delay = delays[attempt - 1];
  return delay === undefined ? undefined : Math.round(delay * (1 - jitter + 2 * jitter * random()));
}
