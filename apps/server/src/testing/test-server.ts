import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stores } from '@modelwire/ports';
import type { RequestLogEntry, ServerOptions } from '@modelwire/server';
import { makeKey } from '@modelwire/server/keys';
import type { KeyInit } from '@modelwire/server/keys';
import OpenAI from 'openai';
import { afterAll } from 'vitest';
import type { Config } from '../config/schema.ts';
import { startInProcess } from '../start/start.ts';
import { testSettings } from './test-settings.ts';
import { scriptedVideos } from './scripted-videos.ts';

export const key = 'test-key-1234567890';

export interface TestServer {
  readonly url: string;
  readonly client: OpenAI;
  /** Creates a key as `keys create` does. */
  makeKey(init: KeyInit): Promise<string>;
  readonly stores: Stores;
  /** Data folder. */
  readonly data: string;
  stop(): Promise<void>;
  /** Restarts the server on the same data folder, which `beforeStart` may change. */
  restart(init?: { readonly beforeStart?: () => void }): Promise<TestServer>;
}

/**
 * Starts the server app on a free port with a temporary data folder, with a client of the official SDK. The embedded video model renders as
 * `scriptedVideos` does: a real clip takes seconds of CPU time.
 */
export function startTestServer(config: Config = {}): Promise<TestServer> {
  return serveIn(mkdtempSync(join(tmpdir(), 'modelwire-test-')), config);
}

/** A server for all tests of a file, with clients of two projects. */
export async function startWithTwoProjects() {
  const server = await startTestServer();
  afterAll(() => server.stop());
  const other = clientOf(server.url, await server.makeKey({ project: 'another' }));
  return { server, client: server.client, other };
}

async function serveIn(data: string, config: Config): Promise<TestServer> {
  const settings = { apiKeys: [key], ...config, ...testSettings, data };
  const running = await startInProcess(settings, { modifyServerOptions: forTests });
  return {
    url: running.url,
    client: clientOf(running.url),
    stores: running.stores,
    data,
    async makeKey(init) {
      const made = makeKey(init);
      await running.stores.keys.add(made.record);
      return made.key;
    },
    async stop() {
      await running.stop();
      rmSync(data, { recursive: true });
    },
    async restart({ beforeStart } = {}) {
      await running.stop();
      beforeStart?.();
      return serveIn(data, config);
    },
  };
}

function forTests({ videoEngines = [], ...options }: ServerOptions): ServerOptions {
  const { render } = scriptedVideos();
  const scripted = videoEngines.map((engine) => (engine.name === 'storyboard' ? { ...engine, render } : engine));
  return { ...options, videoEngines: scripted, log: printOutage };
}

/** A reply has no cause: why the storage was unavailable is printed beside the failed test. */
function printOutage({ outage, route }: RequestLogEntry): void {
  if (outage !== undefined) process.stderr.write(`${route}: ${outage.dependency}: ${outage.cause}\n`);
}

export function clientOf(url: string, apiKey = key): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 });
}
