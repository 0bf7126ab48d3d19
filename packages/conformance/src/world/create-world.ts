import type { Answer } from '../exchange/answer.ts';
import { createSender } from '../exchange/sender.ts';
import type { Settings } from '../options.ts';
import { createCleanup } from './cleanup.ts';
import { memo } from './memo.ts';
import { findChatModel } from './models.ts';
import { probeEndpoint } from './probe-endpoint.ts';
import type { EndpointAvailability, World } from './world.ts';

/** `ended` aborts when the run does. */
export function createWorld(settings: Settings, ended: AbortSignal): World {
  const cleanup = createCleanup();
  const sender = createSender(settings, ended, cleanup.note);
  const answers = memo<Answer>();
  const things = memo<string>();
  const endpoints = memo<EndpointAvailability>();
  const world: World = {
    run: `mwc${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`,
    settings,
    seen: sender.seen,
    cleanup,
    known: {},
    send: (call) => sender.send(call),
    asked: (name, call) => answers(name, async () => sender.send(await call())),
    made: things,
    chatModel: () => things('the chat model', async () => (world.known.chat = await findChatModel(world))),
    serving: (endpoint) => endpoints(endpoint, () => probeEndpoint(world, endpoint)),
    pause: (ms) =>
      new Promise((resolve, reject) => {
        const leave = (): void => {
          clearTimeout(timer);
          reject(new DOMException('the run was aborted', 'AbortError'));
        };
        const timer = setTimeout(() => {
          ended.removeEventListener('abort', leave);
          resolve();
        }, ms);
        if (ended.aborted) leave();
        else ended.addEventListener('abort', leave, { once: true });
      }),
  };
  return world;
}
