import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@modelwire/ports/testing';
import { spawnChild } from '../child.ts';

/** The model and the resources that both servers get. */
export interface ModelSettings {
  /** The GGUF file. */
  readonly path: string;
  /** Compute threads. */
  readonly threads: number;
  /** Tokens of the context of each request. */
  readonly contextSize: number;
  /** Concurrent requests. */
  readonly sequences: number;
}

/** A running server that is measured from outside its process. */
export interface MeasuredServer {
  readonly name: 'modelwire' | 'llama-server';
  /** Such as `http://127.0.0.1:1234/v1`. */
  readonly base: string;
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

export async function startModelwire(settings: ModelSettings): Promise<MeasuredServer> {
  const child = spawnChild(new URL('./modelwire-server.ts', import.meta.url), []);
  const { base, pid } = await child.ask<{ readonly base: string; readonly pid: number }>(settings);
  return { name: 'modelwire', base, pid, stop: () => child.stop() };
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
  const origin = `http://127.0.0.1:${port}`;
  while (!(await isReady(`${origin}/health`))) {
    if (child.exitCode !== null) throw new Error(`llama-server ended with ${child.exitCode}`);
    await sleep(200);
  }
  return {
    name: 'llama-server',
    base: `${origin}/v1`,
    pid: child.pid,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok === true;
}
