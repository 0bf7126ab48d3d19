import { createAdaptorServer } from '@hono/node-server';
import { createLlama } from '@modelwire/engine-llama';
import { createServer } from '@modelwire/server';
import { answerParent } from '../child.ts';
import { listen } from '../servers/server.ts';
import type { ModelSettings } from './servers.ts';

/** The process of the Modelwire server: one model file over HTTP. */
answerParent(async (asked): Promise<{ readonly base: string; readonly pid: number }> => {
  const engine = await createLlama({ ...(asked as ModelSettings), id: 'model', gpu: false });
  const server = createServer({ engines: [engine], keys: 'open' });
  const { base } = await listen(createAdaptorServer({ fetch: (request) => server.fetch(request) }));
  return { base, pid: process.pid };
});
