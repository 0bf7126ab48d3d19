import { setTimeout as sleep } from 'node:timers/promises';
import { startS3 } from '@modelwire/blobs-s3/testing';
import { openGate } from './gate.ts';
import type { Gate } from './gate.ts';
import { openPostgres } from './postgres.ts';
import type { Random } from './random.ts';
import { apiKey, startReplica } from './replica.ts';
import type { Replica } from './replica.ts';

interface Outage {
  readonly dependency: string;
  readonly kind: string;
  readonly seconds: number;
  /** From its end until each replica has stored a completion. */
  readonly recoveryMs: number;
}

export interface Deployment {
  readonly replicas: readonly Replica[];
  readonly outages: readonly Outage[];
  /** Whether a dependency is down or has just recovered. */
  isOutage(): boolean;
  /** Stops and restarts dependencies until the signal aborts. `onlyFailover`: kills PostgreSQL and promotes its standby, each time. */
  breakAtRandom(
    random: Random,
    options: { readonly signal: AbortSignal; readonly onlyFailover: boolean },
  ): Promise<void>;
  /** Restores all dependencies and waits until the replicas have reconnected. */
  repair(): Promise<void>;
  close(): Promise<void>;
}

const common = { logLevel: 'warn' as const, jobLeaseMs: 10_000, batchConcurrency: 4 };
const failover = 'killed, its standby promoted';
/** How long after an outage its 503s are still expected: requests that began in it, and reconnecting. */
const recoveryMs = 15_000;

interface DeploymentOptions {
  readonly usesPgBouncer: boolean;
}

export async function openDeployment(storage: 'postgres' | 'sqlite', options: DeploymentOptions): Promise<Deployment> {
  if (storage === 'sqlite') {
    const replica = await startReplica(common, {});
    return {
      replicas: [replica],
      outages: [],
      isOutage: () => false,
      breakAtRandom: () => Promise.resolve(),
      repair: () => Promise.resolve(),
      close: () => replica.stop(),
    };
  }
  const [postgres, s3] = await Promise.all([openPostgres(options), startS3()]);
  const s3Gate = await openGate(new URL(s3.options.endpoint));
  const endpoint = new URL(s3.options.endpoint);
  endpoint.port = String(s3Gate.port);
  const config = {
    ...common,
    database: postgres.url,
    s3: { endpoint: endpoint.origin, bucket: s3.options.bucket, forcePathStyle: true },
  };
  const env = {
    AWS_ACCESS_KEY_ID: s3.options.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.options.secretAccessKey,
  };
  const replicas = await Promise.all([1, 2].map(() => startReplica(config, env)));
  const outages: Outage[] = [];
  let isDown = false;
  let endedAt = 0;

  async function gateOutage(gate: Gate, state: 'refusing' | 'frozen', ms: number): Promise<void> {
    await gate.set(state);
    await sleep(ms);
    await gate.set('open');
  }

  async function recovery(): Promise<number> {
    const started = Date.now();
    await Promise.all(replicas.map(({ url }) => untilStored(url)));
    return Date.now() - started;
  }

  return {
    replicas,
    outages,
    isOutage: () => isDown || Date.now() - endedAt < recoveryMs,
    async breakAtRandom(random, { signal, onlyFailover }) {
      const all: readonly [string, string, (ms: number) => Promise<void>][] = [
        ['PostgreSQL', failover, (ms) => postgres.failOver(ms)],
        ['PostgreSQL', 'stopped and started', (ms) => postgres.restart(ms)],
        ['PostgreSQL', 'refuses connections', (ms) => gateOutage(postgres.gate, 'refusing', ms)],
        ['PostgreSQL', 'frozen', (ms) => gateOutage(postgres.gate, 'frozen', ms)],
        ['S3', 'refuses connections', (ms) => gateOutage(s3Gate, 'refusing', ms)],
        ['S3', 'frozen', (ms) => gateOutage(s3Gate, 'frozen', ms)],
      ];
      const kinds = onlyFailover ? all.filter(([, kind]) => kind === failover) : all;
      for (;;) {
        try {
          await sleep(20_000 + random.below(40_000), undefined, { signal });
        } catch {
          return;
        }
        const [dependency, kind, run] = random.pick(kinds);
        const ms = 1000 + random.below(14_000);
        isDown = true;
        await run(ms);
        outages.push({ dependency, kind, seconds: Math.round(ms / 1000), recoveryMs: await recovery() });
        if (kind === failover) await postgres.replaceStandby();
        isDown = false;
        endedAt = Date.now();
      }
    },
    async repair() {
      await Promise.all([postgres.gate.set('open'), s3Gate.set('open')]);
      await sleep(recoveryMs);
    },
    async close() {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await s3Gate.close();
      await Promise.all([postgres.close(), s3.stop()]);
    },
  };
}

/** Resolves when the server has stored a completion. */
async function untilStored(url: string): Promise<void> {
  const body = JSON.stringify({ model: 'simulator', store: true, messages: [{ role: 'user', content: 'Hello' }] });
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  while (!(await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })).ok) await sleep(20);
}
