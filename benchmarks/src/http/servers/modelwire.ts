import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { disablePretenuring, start as startApp } from '@modelwire/server-app';
import type { Settings } from '@modelwire/server-app';
import { apiKey, model, reply } from '../payload.ts';
import { completionsAt } from './server.ts';
import type { Address, Start } from './server.ts';

/** Our server as `npm start` runs it: the heap set as there, the app with all of its defaults, keys asked for. */
async function app(settings: Partial<Settings>): Promise<Address> {
  disablePretenuring();
  const { url } = await startApp({
    host: '127.0.0.1',
    port: 0,
    data: mkdtempSync(join(tmpdir(), 'modelwire-bench-')),
    drainMs: 0,
    logLevel: 'silent',
    configPath: undefined,
    apiKeys: [apiKey],
    ...settings,
  });
  return completionsAt(`${url}/v1`);
}

const canned = { models: [{ id: model, reply, chunks: 100 }] };

export const startEmbedded: Start = () => app({ simulator: canned });

/** The same without metrics. */
export const startUnmeasured: Start = () => app({ simulator: canned, metrics: false });

/** The same with a log line for each request, as is the default of the app. */
export const startLogging: Start = () => app({ simulator: canned, logLevel: 'info' });

/** With the model that the app has when nothing is configured, which counts and makes up its answers. */
export const startStoring: Start = () => app({});

export const startForwarding: Start = (upstream) =>
  app({ simulator: false, upstreams: [{ baseURL: upstream, apiKey }], models: { [model]: {} } });
