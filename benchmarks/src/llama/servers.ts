import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@modelwire/ports/testing';
import { spawnChild } from '../child.ts';
import type { ModelSettings } from './settings.ts';

/** A running server that is measured from outside its process. */
export interface MeasuredServer {
  readonly name: 'modelwire' | 'llama-server';
  /** The address of its chat completions. */
  readonly url: string;
  /** Milliseconds of CPU time of all its threads so far. */
  cpuMs(): number;
  /** Its largest resident size so far, in MB. */
  peakMemory(): number;
  stop(): Promise<void>;
}

export async function startModelwire(settings: ModelSettings): Promise<MeasuredServer> {
  const child = spawnChild(new URL('./modelwire-server.ts', import.meta.url), []);
  const { url, pid } = await child.ask<{ readonly url: string; readonly pid: number }>(settings);
  return { name: 'modelwire', url, ...usageOf(pid), stop: () => child.stop() };
}

/** llama.cpp's own server, from the Python package xllamacpp. */
export async function startLlamaServer(python: string, settings: ModelSettings): Promise<MeasuredServer> {
  const { path, threads, contextSize, sequences } = settings;
  const port = await freePort();
  const script = fileURLToPath(new URL('./llama_server.py', import.meta.url));
  const child = spawn(python, [script, path, ...[port, threads, contextSize, sequences].map(String)], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const exited = once(child, 'exit');
  const base = `http://127.0.0.1:${port}`;
  while (!(await isReady(`${base}/health`))) {
    if (child.exitCode !== null) throw new Error(`llama-server ended with ${child.exitCode}`);
    await setTimeout(200);
  }
  return {
    name: 'llama-server',
    url: `${base}/v1/chat/completions`,
    ...usageOf(child.pid ?? 0),
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Reads the files of a process in `/proc`. */
function usageOf(pid: number): Pick<MeasuredServer, 'cpuMs' | 'peakMemory'> {
  const ticksPerSecond = 100;
  return {
    cpuMs() {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [user = 0, system = 0] = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 13)
        .map(Number);
      return ((user + system) * 1000) / ticksPerSecond;
    },
    peakMemory() {
      const [, kilobytes = 'NaN'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      return Number(kilobytes) / 1024;
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
