import { createAdaptorServer } from '@hono/node-server';
import { createLlama } from '@modelwire/engine-llama';
import { createServer } from '@modelwire/server';
import { answerParent } from '../child.ts';
import { listen } from '../http/servers/server.ts';
import type { Address } from '../http/servers/server.ts';
import type { ModelSettings } from './settings.ts';

/** The process of the Modelwire server: one model file over HTTP. */
answerParent(async (asked): Promise<Address & { readonly pid: number }> => {
  const { path, threads, contextSize, sequences } = asked as ModelSettings;
  const engine = await createLlama({ path, threads, contextSize, sequences, id: 'model', gpu: false });
  const server = createServer({ engines: [engine], keys: 'open' });
  const address = await listen(createAdaptorServer({ fetch: (request) => server.fetch(request) }));
  return { ...address, pid: process.pid };
});
