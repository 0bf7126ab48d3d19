import { serve } from '@hono/node-server';
import { createServer } from '@modelwire/server';
import { createSimulator } from '@modelwire/engine-simulator';
import { readSettings, start } from '@modelwire/server-app';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { programFolder } from './programs.ts';

export const key = 'a-key-for-the-guides';

/** The server app with the embedded models, at a free port, until the test is over. */
export async function startApp(folder = programFolder(), env: NodeJS.ProcessEnv = {}): Promise<string> {
  const settings = await readSettings(folder, {
    PORT: '0',
    MODELWIRE_API_KEYS: key,
    MODELWIRE_LOG_LEVEL: 'silent',
    ...env,
  });
  const running = await start(settings);
  onTestFinished(() => running.stop());
  return running.url;
}

/** What speaks chat and nothing else, with models of these names: a stand-in for a model server. */
export async function startStandIn(models: readonly string[]): Promise<string> {
  const server = createServer({
    engines: [createSimulator({ models: models.map((id) => ({ id })) })],
    keys: 'open',
    // The servers that it stands in for accept fields that they do not know.
    unknownFields: 'keep',
  });
  const http = serve({ fetch: server.fetch, port: 0, hostname: '127.0.0.1' });
  if (!http.listening) await once(http, 'listening');
  onTestFinished(async () => {
    http.close();
    await server.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`;
}
