import type { Answer } from '../exchange/answer.ts';
import { createSender } from '../exchange/sender.ts';
import type { Settings } from '../options.ts';
import { createCleanup } from './cleanup.ts';
import { memo } from './memo.ts';
import { findChatModel } from './models.ts';
import { probeEndpoint } from './probe-endpoint.ts';
import type { EndpointAvailability, World } from './world.ts';

/** `runSignal` aborts when the run ends. */
export function createWorld(settings: Settings, runSignal: AbortSignal): World {
  const cleanup = createCleanup();
  const sender = createSender(settings, runSignal, cleanup.record);
  const responses = memo<Answer>();
  const objects = memo<string>();
  const endpoints = memo<EndpointAvailability>();
  const world: World = {
    runId: `mwc${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`,
    settings,
    stats: sender.stats,
    cleanup,
    detectedModels: {},
    send: (call) => sender.send(call),
    sendOnce: (name, call) => responses(name, async () => sender.send(await call())),
    createOnce: objects,
    chatModel: () => objects('the chat model', async () => (world.detectedModels.chat = await findChatModel(world))),
    probe: (endpoint) => endpoints(endpoint, () => probeEndpoint(world, endpoint)),
    pause: (ms) =>
      new Promise((resolve, reject) => {
        const onAbort = (): void => {
          clearTimeout(timer);
          reject(new DOMException('the run was aborted', 'AbortError'));
        };
        const timer = setTimeout(() => {
          runSignal.removeEventListener('abort', onAbort);
          resolve();
        }, ms);
        if (runSignal.aborted) onAbort();
        else runSignal.addEventListener('abort', onAbort, { once: true });
      }),
  };
  return world;
}
