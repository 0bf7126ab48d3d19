import { setTimeout as sleep } from 'node:timers/promises';
import { startS3 } from '@modelwire/blobs-s3/testing';
import { startPostgres } from '@modelwire/store-postgres/testing';
import { openGate } from './gate.ts';
import type { Gate } from './gate.ts';
import type { Random } from './random.ts';
import { startReplica } from './replica.ts';
import type { Replica } from './replica.ts';

export interface Outage {
  readonly dependency: string;
  readonly kind: string;
  readonly seconds: number;
}

export interface Deployment {
  readonly replicas: readonly Replica[];
  readonly outages: readonly Outage[];
  /** Whether a dependency is down or has just recovered. */
  isOutage(): boolean;
  /** Stops and restarts dependencies until the signal aborts. */
  breakAtRandom(random: Random, signal: AbortSignal): Promise<void>;
  /** Restores all dependencies and waits until the replicas have reconnected. */
  repair(): Promise<void>;
  close(): Promise<void>;
}

const common = { logLevel: 'warn' as const, jobLeaseMs: 10_000, batchConcurrency: 4 };
/** How long after an outage its 503s are still expected: requests that began in it, and reconnecting. */
const recoveryMs = 15_000;

export async function openDeployment(storage: 'postgres' | 'sqlite'): Promise<Deployment> {
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
  const [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  const [postgresGate, s3Gate] = await Promise.all([
    openGate(new URL(postgres.url)),
    openGate(new URL(s3.options.endpoint)),
  ]);
  const database = new URL(postgres.url);
  database.port = String(postgresGate.port);
  const endpoint = new URL(s3.options.endpoint);
  endpoint.port = String(s3Gate.port);
  const config = {
    ...common,
    database: database.href,
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

  async function restartPostgres(ms: number): Promise<void> {
    await postgres.stop();
    await sleep(ms);
    await postgres.start();
  }

  return {
    replicas,
    outages,
    isOutage: () => isDown || Date.now() - endedAt < recoveryMs,
    async breakAtRandom(random, signal) {
      const kinds: readonly [string, string, (ms: number) => Promise<void>][] = [
        ['PostgreSQL', 'stopped and started', restartPostgres],
        ['PostgreSQL', 'refuses connections', (ms) => gateOutage(postgresGate, 'refusing', ms)],
        ['PostgreSQL', 'frozen', (ms) => gateOutage(postgresGate, 'frozen', ms)],
        ['S3', 'refuses connections', (ms) => gateOutage(s3Gate, 'refusing', ms)],
        ['S3', 'frozen', (ms) => gateOutage(s3Gate, 'frozen', ms)],
      ];
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
        isDown = false;
        endedAt = Date.now();
        outages.push({ dependency, kind, seconds: Math.round(ms / 1000) });
      }
    },
    async repair() {
      await Promise.all([postgresGate.set('open'), s3Gate.set('open')]);
      await sleep(recoveryMs);
    },
    async close() {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await Promise.all([postgresGate.close(), s3Gate.close()]);
      await Promise.all([postgres.discard(), s3.stop()]);
    },
  };
}
