import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pythonFolder } from '../python.ts';
import { freePort, main } from '../server.ts';
import type { Target } from './client.ts';

const key = 'sk-comparison-0123456789';
const startTimeoutMs = 180_000;

/** A server in a separate process. */
export interface Program extends Target {
  /** Resident memory of the process and those that it started, in bytes. Linux only. */
  memory(): Promise<number>;
  stop(): Promise<void>;
}

/** llama.cpp's server at a fixed port, so that it can be started again. `programs` is the folder with Python. */
export async function startLlama(programs: string, port: number): Promise<Program> {
  const child = spawn(join(programs, 'python'), ['llama_server.py', String(port)], {
    cwd: join(pythonFolder, 'llama'),
    stdio: 'ignore',
  });
  await untilReady(`http://127.0.0.1:${port}/health`, child);
  return program('llama.cpp directly', port, child, 'SIGKILL');
}

export async function startModelwire(folder: string, upstream: Target): Promise<Program> {
  const port = await freePort();
  const child = spawn(process.execPath, [main], {
    cwd: folder,
    env: {
      ...{ PATH: process.env['PATH'], PORT: String(port), MODELWIRE_API_KEYS: key, MODELWIRE_LOG_LEVEL: 'error' },
      MODELWIRE_UPSTREAM_URL: upstream.baseURL,
    },
    stdio: 'ignore',
  });
  await untilReady(`http://127.0.0.1:${port}/readyz`, child);
  return program('Modelwire', port, child, 'SIGTERM');
}

/** LiteLLM's proxy with one worker, which is its default. `programs` is the folder with the program. */
export async function startLiteLlm(programs: string, folder: string, upstream: Target): Promise<Program> {
  const port = await freePort();
  const config = join(folder, 'litellm.json');
  const litellm_params = { model: 'openai/smol', api_base: upstream.baseURL, api_key: 'none' };
  // JSON is YAML.
  await writeFile(config, JSON.stringify({ model_list: [{ model_name: 'smol', litellm_params }] }));
  const child = spawn(join(programs, 'litellm'), ['--config', config, '--port', String(port), '--host', '127.0.0.1'], {
    cwd: folder,
    env: {
      ...{ PATH: process.env['PATH'], HOME: folder, LITELLM_MASTER_KEY: key, LITELLM_LOG: 'ERROR' },
      ...{ LITELLM_LOCAL_MODEL_COST_MAP: 'True', LITELLM_TELEMETRY: 'False' },
    },
    stdio: 'ignore',
  });
  await untilReady(`http://127.0.0.1:${port}/health/readiness`, child);
  return program('LiteLLM', port, child, 'SIGTERM');
}

function program(name: string, port: number, child: ChildProcess, signal: NodeJS.Signals): Program {
  const closed = once(child, 'close');
  return {
    name,
    key,
    baseURL: `http://127.0.0.1:${port}/v1`,
    memory: () => residentBytes(child.pid ?? 0),
    async stop() {
      child.kill(signal);
      await closed;
    },
  };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The program of ${url} ended with ${child.exitCode}.`);
    const response = await fetch(url).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok === true) return;
    await sleep(250);
  }
  child.kill('SIGKILL');
  throw new Error(`${url} did not answer in ${startTimeoutMs} ms.`);
}

/** Of a process and its child processes. */
async function residentBytes(pid: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const processes = await Promise.all(pids.map(readProcess));
  const found = new Set([pid]);
  for (let size = 0; size < found.size;) {
    size = found.size;
    for (const one of processes) if (one && found.has(one.parent)) found.add(one.pid);
  }
  return processes.reduce((sum, one) => sum + (one && found.has(one.pid) ? one.bytes : 0), 0);
}

async function readProcess(name: string): Promise<{ pid: number; parent: number; bytes: number } | undefined> {
  const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => undefined);
  if (status === undefined) return undefined;
  const field = (label: string): number => Number(new RegExp(`^${label}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return { pid: Number(name), parent: field('PPid'), bytes: field('VmRSS') * 1024 };
}
