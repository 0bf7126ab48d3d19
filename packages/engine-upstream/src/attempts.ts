import { backoffMs, sleep } from '@modelwire/ports';
import { randomUUID } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { RequestError } from '@modelwire/ports';
import type { Breaker, Permit } from './breaker.ts';
import type { ServerSettings, TargetSettings } from './settings.ts';
import { exchange, TransportError } from './exchange.ts';
import type { Reply } from './exchange.ts';
import { replyFailure, transportFailure, unavailable } from './failures.ts';
import type { Failure } from './failures.ts';
import type { BodyFor } from './outgoing-body.ts';
import { readText } from './reply-text.ts';

/** A server as it runs. */
export interface Server {
  readonly settings: ServerSettings;
  readonly dispatcher: Dispatcher;
  readonly breaker: Breaker;
}

/** One of the servers that have the model, and its name there. */
export interface Target extends Omit<TargetSettings, 'server'> {
  readonly server: Server;
}

export interface Call {
  /** In the order they are asked. */
  readonly targets: readonly Target[];
  /** The id callers use. */
  readonly publicId: string;
  readonly body: BodyFor;
  readonly accept: 'application/json' | 'text/event-stream';
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly retries: number;
}

/** A reply of status 2xx. Whoever reads it reports to the permit how it ended. */
export interface Answer {
  readonly reply: Reply;
  readonly permit: Permit;
  readonly server: ServerSettings;
}

const errorBodyLimit = 256 * 1024;
const backoff = { firstMs: 50, maxMs: 1_000 };

/**
 * Asks one server after the other until one answers, as long as there is hope and attempts are left. Throws the last
 * failure, as a `RequestError`, or the reason of the abort.
 *
 * A chat request that broke after it was sent may have run there: it is sent again all the same, as official SDKs do,
 * under the same `idempotency-key`. A server that merely takes too long is not asked again: it is still at work.
 */
export async function ask(call: Call): Promise<Answer> {
  const waiting = [...call.targets];
  const key = randomUUID();
  let failed: RequestError | undefined;
  let attempts = 0;
  for (let target = waiting.shift(); target !== undefined && attempts <= call.retries; target = waiting.shift()) {
    const permit = target.server.breaker.enter();
    if (permit === undefined) continue;
    if (failed !== undefined) await pause(attempts, call.signal, permit);
    attempts += 1;
    const outcome = await attempt(call, target, key, permit);
    if ('reply' in outcome) return outcome;
    failed = outcome.error;
    if (outcome.again === 'nowhere') break;
    if (outcome.again === 'anywhere') waiting.push(target);
  }
  throw failed ?? unavailable(Math.min(...call.targets.map(({ server }) => server.breaker.remaining())));
}

async function attempt(call: Call, target: Target, key: string, permit: Permit): Promise<Answer | Failure> {
  const { settings, dispatcher } = target.server;
  try {
    const reply = await exchange(dispatcher, outgoing(call, target, key), call.signal);
    if (reply.status >= 200 && reply.status < 300) {
      permit.answered();
      return { reply, permit, server: settings };
    }
    const failure = replyFailure(reply.status, reply.headers, await errorText(reply), call.publicId, settings);
    report(permit, failure);
    return failure;
  } catch (thrown) {
    if (!(thrown instanceof TransportError)) {
      permit.left();
      throw thrown;
    }
    const failure = transportFailure(thrown, settings.name);
    report(permit, failure);
    return failure;
  }
}

function report(permit: Permit, failure: Failure): void {
  if (failure.blame) permit.failed();
  else permit.succeeded();
}

function outgoing(call: Call, { server: { settings }, upstreamModel }: Target, key: string) {
  return {
    path: settings.path,
    headers: ['accept', call.accept, 'x-request-id', call.requestId, 'idempotency-key', key, ...settings.headers],
    body: call.body(upstreamModel, settings),
    ...settings.timeouts,
  };
}

/** The body of an error; undefined when it is too big or broken. */
async function errorText(reply: Reply): Promise<string | undefined> {
  if (reply.status >= 500) {
    reply.body.release();
    return undefined;
  }
  try {
    return await readText(reply, errorBodyLimit);
  } catch (thrown) {
    if (thrown instanceof TransportError) return undefined;
    throw thrown;
  }
}

async function pause(attempts: number, signal: AbortSignal, permit: Permit): Promise<void> {
  try {
    await sleep(backoffMs(attempts, backoff), signal);
  } catch (reason) {
    permit.left();
    throw reason;
  }
}
