import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@modelwire/ports/testing';
import { usageOf } from '../process-usage.ts';
import { apiKey, requestTo } from '../servers/payload.ts';
import type { Address } from '../servers/host.ts';
import type { Gateway } from './gateways.ts';

/** A gateway that runs, with all processes that it has started. */
export interface RunningGateway extends Address {
  /** Milliseconds from its start to its first reply. */
  readonly coldStartMs: number;
  /** CPU time so far in microseconds, resident memory in bytes. */
  used(): { readonly cpu: number; readonly rss: number };
  stop(): Promise<void>;
}

/** Starts the gateway before `upstream`, an origin, and waits for the first chat completion. Linux only. */
export async function startGateway(gateway: Gateway, upstream: string): Promise<RunningGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-gateway-'));
  const [port, metricsPort] = [await freePort(), await freePort()];
  const { program, args, env, headers } = gateway.command({ folder, port, metricsPort, upstream });
  const began = performance.now();
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group, so that the processes that it starts are stopped too.
    detached: true,
  });
  let errors = '';
  child.stderr.on('data', (bytes: Buffer) => (errors = (errors + bytes.toString()).slice(-4000)));
  const exited = once(child, 'exit');
  async function stop() {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await exited;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  const base = `http://127.0.0.1:${port}/v1`;
  const { url, headers: sent, body } = requestTo({ base, headers: headers ?? {} }, 'create');
  let last = '';
  for (;;) {
    const reply = await fetch(url, { method: 'POST', headers: sent, body, signal: AbortSignal.timeout(5000) }).then(
      async (response) => ({ ok: response.ok, text: await response.text() }),
      (error: unknown) => ({ ok: false, text: String(error) }),
    );
    if (reply.ok) break;
    last = reply.text;
    if (child.exitCode !== null || performance.now() - began > 120_000) {
      await stop();
      throw new Error(`${gateway.title} does not answer: ${last}\n${errors}`);
    }
    await sleep(5);
  }
  const coldStartMs = performance.now() - began;
  return {
    base,
    headers: { authorization: `Bearer ${apiKey}`, ...headers },
    coldStartMs,
    used() {
      const all = processesOf(child.pid).map((pid) => usageOf(pid));
      const sum = (of: (usage: ReturnType<typeof usageOf>) => number) => all.reduce((total, one) => total + of(one), 0);
      return { cpu: sum(({ cpuMs }) => cpuMs) * 1000, rss: sum(({ rss }) => rss) };
    },
    stop,
  };
}

/** The process and its descendants. */
function processesOf(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [pid, ...children.flatMap((child) => processesOf(Number(child)))];
}
