import { createServer } from '@modelwire/server';
import type { ServerOptions } from '@modelwire/server';
import { onTestFinished } from 'vitest';
import { createUpstream } from '../src/index.ts';
import type { UpstreamOptions, UpstreamServer } from '../src/index.ts';
import { fakeServer } from './fake-server.ts';
import type { RequestHandler } from './fake-server.ts';

/** A fake server and an engine with the model `m` at it, both closed at the end of the test. */
export async function startUpstream(
  handler: RequestHandler,
  server: Partial<UpstreamServer> = {},
  options: Partial<UpstreamOptions> = {},
) {
  const fake = await fakeServer(handler);
  const engine = createUpstream({
    upstreams: [{ baseURL: fake.baseURL, ...server }],
    models: { m: {} },
    ...options,
  });
  onTestFinished(async () => {
    await engine.close?.();
    await fake.close();
  });
  return { fake, engine };
}

/** A server with the model `ours`, which is `there` at the fake server and tried once; `post` sends a body to a path. */
export async function serveUpstream(
  handler: RequestHandler,
  path: string,
  { upstream = {}, ...options }: Partial<ServerOptions> & { readonly upstream?: Partial<UpstreamServer> } = {},
) {
  const models = { ours: { upstreamModel: 'there' } };
  const { fake, engine } = await startUpstream(handler, upstream, { models, retries: 0 });
  const server = createServer({ engines: [engine], embeddingEngines: [engine], keys: 'open', ...options });
  const post = async (body: object) => {
    const response = await server.fetch(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'ours', ...body }),
      }),
    );
    return { status: response.status, ...((await response.json()) as object) };
  };
  return { fake, post };
}
