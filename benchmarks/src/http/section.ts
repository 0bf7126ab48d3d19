import { spawnChild } from '../child.ts';
import type { LoadAnswer, LoadQuestion } from '../load.ts';
import type { ServerName } from '../servers/host.ts';
import { requestTo } from '../servers/payload.ts';
import type { Mode } from '../servers/payload.ts';
import { startServer } from '../servers/start-server.ts';
import type { ServerProcess } from '../servers/start-server.ts';
import { verify } from '../servers/verify.ts';
import { rotated } from '../statistics.ts';
import { contestants, namesOf, serverNames } from './contestants.ts';
import type { ContestantName } from './contestants.ts';
import { connectionCounts } from './measured.ts';
import type { Measured, Sample } from './measured.ts';
import { httpReport } from './report.ts';

const modes = ['create', 'stream'] as const satisfies readonly Mode[];

export type Servers = ReadonlyMap<ServerName, ServerProcess>;

/** Starts all servers, each in a process of its own. */
export async function startServers(): Promise<Servers> {
  const raw = await startServer('raw');
  const others = serverNames.filter((name) => name !== 'raw');
  // In parallel, because a start mostly loads modules.
  const started = await Promise.all(
    others.map(async (name) => [name, await startServer(name, { upstream: raw.base })] as const),
  );
  return new Map([['raw', raw], ...started]);
}

export function requestOf(servers: Servers, name: ContestantName, mode: Mode) {
  const { server: serverName, obfuscation } = contestants[name];
  const server = servers.get(serverName);
  if (!server) throw new Error(`${serverName} is not running`);
  return { server, request: requestTo(server, mode, { obfuscation }) };
}

/**
 * Measures all servers once per round, in an order that rotates, one after the other at the same number of connections. Ratios are computed
 * within a round, so that a temporary load affects both sides.
 */
export async function httpSection(quick: boolean, say: (text: string) => void): Promise<string> {
  const { rounds, ms, compileMs } = quick
    ? { rounds: 1, ms: 300, compileMs: 500 }
    : { rounds: 15, ms: 400, compileMs: 4000 };
  const load = spawnChild(new URL('../load.ts', import.meta.url), []);
  const servers = await startServers();

  async function measure({ name, mode, connections }: Measured, duration: number): Promise<Sample> {
    const { server, request } = requestOf(servers, name, mode);
    const before = await server.used();
    const question: LoadQuestion = { ...request, connections, warmUpMs: 100, ms: duration };
    const answer = await load.ask<LoadAnswer>(question);
    const after = await server.used();
    if (answer.failed > 0) say(`${name}: ${answer.failed} of ${answer.answered} failed`);
    return { ...answer, cpu: (after.cpu - before.cpu) / answer.answered, rss: after.rss };
  }

  try {
    const measured: Measured[] = [];
    for (const mode of modes) {
      for (const name of namesOf(mode)) {
        const bytes = await verify(requestOf(servers, name, mode).request, mode);
        const row = { name, mode, bytes };
        measured.push(...connectionCounts.map((connections) => ({ ...row, connections, samples: [] })));
      }
    }
    // Compiles the code of all servers.
    for (const one of measured) if (one.connections === 16) await measure(one, compileMs);
    for (let round = 0; round < rounds; round++) {
      for (const mode of modes) {
        for (const connections of connectionCounts) {
          const group = measured.filter((one) => one.mode === mode && one.connections === connections);
          for (const one of rotated(group, round)) {
            const sample = await measure(one, ms);
            one.samples.push(sample);
            say(`round ${round + 1}: ${one.name} ${mode} at ${connections}: ${Math.round(sample.rate)}/s`);
          }
        }
      }
    }
    return httpReport(measured);
  } finally {
    await Promise.all([load, ...servers.values()].map((child) => child.stop()));
  }
}
