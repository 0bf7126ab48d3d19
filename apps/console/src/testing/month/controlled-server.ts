import { startServer } from '../server-process.ts';
import { createModelServers } from './model-servers.ts';

/** Starts a server whose clocks are behind those of the system, with three model servers behind it. */
export async function startControlledServer(behindMs: number) {
  let offsetMs = -behindMs;
  let lastChange = Promise.resolve();
  /** Changes of requests that run at the same time are made one after the other. */
  const setClock = (next: () => number): Promise<void> =>
    (lastChange = lastChange.then(() => {
      offsetMs = Math.min(next(), 0);
      return server.setClock(offsetMs);
    }));
  const models = createModelServers((ms) => setClock(() => offsetMs + ms));
  const gpu1 = await models.start(['qwen3-32b', 'gpt-oss-120b']);
  const gpu2 = await models.start(['qwen3-32b', 'gpt-oss-120b']);
  const hosted = await models.start(['mistral-small']);
  const server = await startServer(
    {
      upstreams: [
        { name: 'gpu-1', preset: 'vllm', baseURL: gpu1.baseURL },
        { name: 'gpu-2', preset: 'vllm', baseURL: gpu2.baseURL },
        { name: 'hosted', preset: 'hosted', baseURL: hosted.baseURL },
      ],
      models: {
        'qwen3-32b': { upstreams: ['gpu-1', 'gpu-2'] },
        'gpt-oss-120b': { upstreams: ['gpu-1'] },
        'mistral-small': { upstreams: ['hosted'] },
        small: { model: 'mistral-small' },
      },
      prices: {
        currency: 'usd',
        models: {
          'qwen3-32b': { input: 4, cachedInput: 1, output: 12 },
          'mistral-small': { input: 1, output: 3 },
          storyboard: { videoSecond: 0.05 },
        },
      },
    },
    { clockOffsetMs: offsetMs },
  );
  return {
    server,
    models,
    /** Ends a model server for good. */
    stopModelServer: () => gpu2.stop(),
    /** Sets the clocks forward to this time before now, unless they are past it. */
    goTo: (agoMs: number) => setClock(() => Math.max(offsetMs, -agoMs)),
    async [Symbol.asyncDispose]() {
      // First, because requests wait for their replies.
      await Promise.all([gpu1.stop(), hosted.stop()]);
      await server[Symbol.asyncDispose]();
    },
  };
}
