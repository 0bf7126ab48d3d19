import { setTimeout as sleep } from 'node:timers/promises';
import { spawnChild } from '../child.ts';
import type { Child } from '../child.ts';
import type { LoadAnswer, LoadQuestion } from '../load.ts';
import { requestTo } from '../servers/payload.ts';
import type { Mode } from '../servers/payload.ts';
import { startServer } from '../servers/start-server.ts';
import { verify } from '../servers/verify.ts';
import { rotated } from '../statistics.ts';
import { findGateways } from './gateways.ts';
import type { Gateway } from './gateways.ts';
import { startGateway } from './process.ts';
import type { RunningGateway } from './process.ts';
import { gatewaysReport } from './report.ts';
import type { Measured, Memory } from './report.ts';

const requestsAtOnce = 1500;
const requestBytes = 150_000;

/**
 * Gateways before the same upstream, one after the other in an order that rotates. Each runs as its documentation says, in processes of its
 * own.
 */
export async function gatewaysSection(quick: boolean, say: (text: string) => void): Promise<string> {
  const { rounds, ms, warmUpMs, idleMs } = quick
    ? { rounds: 1, ms: 500, warmUpMs: 300, idleMs: 500 }
    : { rounds: 5, ms: 2000, warmUpMs: 500, idleMs: 3000 };
  const { found, missing } = findGateways();
  for (const name of missing) say(`${name} is not installed and is left out`);
  const load = spawnChild(new URL('../load.ts', import.meta.url), []);
  const [raw, slow] = [await startServer('raw'), await startServer('slow')];
  try {
    const memory = new Map<string, Memory>();
    for (const gateway of found) {
      const measured = await measureMemory(gateway, load, { upstream: new URL(slow.base).origin, idleMs, say });
      memory.set(gateway.title, measured);
      say(`${gateway.title}: ${JSON.stringify(measured)}`);
    }
    const direct: Measured = { title: 'the upstream itself', samples: [] };
    const measured = [direct, ...found.map(({ title }): Measured => ({ title, samples: [] }))];
    const running = new Map<string, RunningGateway>();
    try {
      for (const gateway of found) {
        const started = await startGateway(gateway, new URL(raw.base).origin);
        running.set(gateway.title, started);
        for (const mode of ['create', 'stream'] as const) await verify(requestTo(started, mode), mode);
      }
      for (let round = quick ? 0 : -1; round < rounds; round++) {
        for (const { title, samples } of rotated(measured, round + 1)) {
          const gateway = running.get(title);
          const run = async (mode: Mode, connections: number) => {
            const before = gateway?.used();
            const question: LoadQuestion = { ...requestTo(gateway ?? raw, mode), connections, warmUpMs, ms };
            const answer = await load.ask<LoadAnswer>(question);
            if (answer.failed > 0) say(`${title}: ${answer.failed} of ${answer.answered} failed`);
            const cpu = before && gateway ? (gateway.used().cpu - before.cpu) / answer.answered : 0;
            return { ...answer, cpu };
          };
          const sample = {
            one: await run('create', 1),
            many: await run('create', 16),
            oneStream: await run('stream', 1),
            manyStreams: await run('stream', 16),
          };
          // The first round compiles the code.
          if (round >= 0) samples.push(sample);
          say(`round ${round + 1}: ${title}: ${Math.round(sample.many.rate)}/s, ${Math.round(sample.many.cpu)} µs`);
        }
      }
      const starts = new Map([...running].map(([title, { coldStartMs }]) => [title, coldStartMs]));
      return gatewaysReport(measured, starts, memory, missing);
    } finally {
      for (const gateway of running.values()) await gateway.stop();
    }
  } finally {
    await Promise.all([load, raw, slow].map((child) => child.stop()));
  }
}

/** Starts a gateway, waits, and sends many large requests at once to it, one over each connection: the upstream answers after three seconds. */
async function measureMemory(
  gateway: Gateway,
  load: Child,
  {
    upstream,
    idleMs,
    say,
  }: { readonly upstream: string; readonly idleMs: number; readonly say: (text: string) => void },
): Promise<Memory> {
  const started = await startGateway(gateway, upstream);
  try {
    await sleep(idleMs);
    const idle = started.used().rss;
    const { url, headers, body } = requestTo(started, 'create');
    const large = body.replace('anything.', `anything. ${'word '.repeat(requestBytes / 5)}`);
    const question: LoadQuestion = { url, headers, body: large, connections: requestsAtOnce, warmUpMs: 0, ms: 2500 };
    let peak = idle;
    const sampling = setInterval(() => (peak = Math.max(peak, started.used().rss)), 50);
    const answer = await load
      .ask<LoadAnswer>(question)
      .catch((error: unknown) => {
        say(`${gateway.title}: ${String(error)}`);
        return { failed: requestsAtOnce };
      })
      .finally(() => clearInterval(sampling));
    return { idle, peak, failed: answer.failed };
  } finally {
    await started.stop();
  }
}
