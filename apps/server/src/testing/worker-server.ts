import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { countingConfig, countingUpstream } from './counting-upstream.ts';
import type { CountingUpstream } from './counting-upstream.ts';
import { startProcess } from './process.ts';
import type { ServerProcess } from './process.ts';
import { sendSeparately } from './separate-request.ts';
import type { SeparateReply } from './separate-request.ts';

export interface WorkerServer extends ServerProcess {
  readonly upstream: CountingUpstream;
  /** The key that the first start created. */
  readonly key: string;
  /** Log lines with this message. */
  logged(message: string): readonly LogLine[];
  /** Sends a chat request on a connection of its own. */
  chat(prompt: string, init?: { readonly key?: string; readonly max_tokens?: number }): Promise<SeparateReply>;
  /** Sends a request of an administrator on a connection of its own. */
  administrate(method: string, path: string, body?: object): Promise<SeparateReply>;
}

export interface LogLine {
  readonly worker?: number;
  readonly pid?: number;
  readonly msg: string;
}

/** Starts a server with two workers in front of an upstream with the model `counted`. */
export async function startWorkerServer(overrides: object): Promise<WorkerServer> {
  const upstream = await countingUpstream(0);
  const cwd = mkdtempSync(join(tmpdir(), 'modelwire-workers-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const config = countingConfig(upstream, { workers: 2, console: false, docs: false, ...overrides });
  writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify(config));
  const server = await startProcess(cwd, { MODELWIRE_API_KEYS: '', MODELWIRE_LOG_LEVEL: 'info' });
  const adminKey = readFileSync(join(cwd, '.modelwire', 'api-key'), 'utf8').trim();
  return {
    ...server,
    upstream,
    key: adminKey,
    logged: (message) =>
      server
        .log()
        .split('\n')
        .filter((line) => line.endsWith(`"msg":"${message}"}`))
        .map((line) => JSON.parse(line) as LogLine),
    chat: (prompt, { key = adminKey, ...rest } = {}) =>
      sendSeparately(`${server.url}/v1/chat/completions`, {
        key,
        body: { model: 'counted', messages: [{ role: 'user', content: prompt }], ...rest },
      }),
    administrate: (method, path, body) =>
      sendSeparately(`${server.url}/v1/organization/${path}`, { key: adminKey, method, ...(body && { body }) }),
  };
}
