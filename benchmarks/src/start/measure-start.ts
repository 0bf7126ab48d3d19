import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@modelwire/ports/testing';
import { usageOf } from '../process-usage.ts';

export interface Start {
  /** From the start of the process to the first answer, in milliseconds. */
  readonly readyMs: number;
  /** CPU time of the process until then, in milliseconds. */
  readonly cpuMs: number;
  /** Resident memory after `idleMs`, in bytes. */
  readonly rss: number;
}

export interface StartInit {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly idleMs: number;
}

/** Starts a server in a process, requests `/health` until it replies, and stops it after `idleMs`. Linux only. */
export async function measureStart({ args, cwd, env, idleMs }: StartInit): Promise<Start> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: String(port), ...env },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  try {
    while (!(await answers(port))) {
      if (child.exitCode !== null) throw new Error(`${args.join(' ')} exited with ${child.exitCode}`);
      if (performance.now() - began > 60_000) throw new Error(`${args.join(' ')} does not answer`);
      await sleep(1);
    }
    const readyMs = performance.now() - began;
    const { cpuMs } = usageOf(child.pid);
    await sleep(idleMs);
    return { readyMs, cpuMs, rss: usageOf(child.pid).rss };
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path: '/health', agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode === 200));
    }).once('error', () => resolve(false));
  });
}
