import { createEngineQueue } from './engine-queue.ts';
import type { EngineQueue } from './engine-queue.ts';
import { createInFlight } from './in-flight.ts';
import type { InFlight } from './in-flight.ts';
import { createModelRegistry } from './models/registry.ts';
import type { ModelRegistry } from './models/registry.ts';
import type { KitOptions } from './options.ts';
import type { ChatEngine } from './ports/chat-engine.ts';

/** What handlers work with: the ports, and what one running server keeps in memory. */
export interface Kit {
  readonly options: KitOptions;
  readonly models: ModelRegistry;
  readonly queues: { of(engine: ChatEngine): EngineQueue };
  readonly inFlight: InFlight;
}

export function createKit(options: KitOptions): Kit {
  const { engines, concurrency, queueLength: length, queueWaitMs: waitMs } = options;
  const queues = new Map(
    engines.map((engine) => [
      engine,
      createEngineQueue({ concurrency: engine.concurrency ?? concurrency, length, waitMs }),
    ]),
  );
  return {
    options,
    models: createModelRegistry(engines),
    queues: {
      of(engine) {
        const queue = queues.get(engine);
        if (!queue) throw new Error(`engine '${engine.name}' is not of this server`);
        return queue;
      },
    },
    inFlight: createInFlight(),
  };
}
