import type { EndpointId } from '@modelwire/schema';
import type { Answer } from '../exchange/answer.ts';
import type { Call } from '../exchange/call.ts';
import { createSender } from '../exchange/sender.ts';
import type { Seen } from '../exchange/sender.ts';
import type { Settings } from '../options.ts';
import { createCleanup } from './cleanup.ts';
import type { Cleanup } from './cleanup.ts';
import { memo } from './memo.ts';
import { findChatModel } from './models.ts';
import { serving } from './serving.ts';
import type { Serving } from './serving.ts';

/** What checks act in: the server, what this run made there, and what was already asked. */
export interface World {
  /** A word that only this run uses: it marks what the run makes. */
  readonly run: string;
  readonly settings: Settings;
  readonly seen: Seen;
  readonly cleanup: Cleanup;
  /** What was found out on the way. */
  readonly known: { chat?: string };
  send(call: Call): Promise<Answer>;
  /** Sends it once, however many checks ask. */
  asked(name: string, call: () => Promise<Call> | Call): Promise<Answer>;
  /** Makes a thing once; the promise rejects with a `Skip` for all where that fails. */
  made(name: string, make: () => Promise<string>): Promise<string>;
  chatModel(): Promise<string>;
  /** Whether the endpoint is served, and what it answered to a proper request. */
  serving(endpoint: EndpointId): Promise<Serving>;
  /** Waits, or rejects when the run ends. */
  pause(ms: number): Promise<void>;
}

/** `ended` aborts when the run does. */
export function createWorld(settings: Settings, ended: AbortSignal): World {
  const cleanup = createCleanup();
  const sender = createSender(settings, ended, cleanup.note);
  const answers = memo<Answer>();
  const things = memo<string>();
  const endpoints = memo<Serving>();
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
    serving: (endpoint) => endpoints(endpoint, () => serving(world, endpoint)),
    pause: (ms) =>
      new Promise((resolve, reject) => {
        const leave = (): void => {
          clearTimeout(timer);
          reject(new DOMException('the run was ended', 'AbortError'));
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
