import type { Batch } from 'openai/resources/batches';
import { expect, vi } from 'vitest';
import type { ServerOptions } from '../options/options.ts';
import { listen } from './listen.ts';
import type { MemoryWork } from './memory-work.ts';
import { contentOf, says, scriptedEngine } from './scripted-engine.ts';
import { endpoint, patient } from './serve-batches.ts';

/** A server whose engine replies when the test allows it. Aborted lines are recorded. */
export async function serveWithGatedEngine(work: MemoryWork, options: Partial<ServerOptions> = {}) {
  const waiting: (() => void)[] = [];
  const aborted: string[] = [];
  const asked: string[] = [];
  let open = false;
  const engine = scriptedEngine(async function* (request, { signal }) {
    const name = contentOf(request);
    asked.push(name);
    if (!open) {
      await new Promise<void>((resolve, reject) => {
        waiting.push(resolve);
        signal.addEventListener('abort', () => {
          aborted.push(name);
          reject(new Error('aborted'));
        });
      });
    }
    yield* says(`answer ${name}`);
  });
  const { client, server } = await listen({
    engines: [engine],
    stores: work.stores,
    blobs: work.blobs,
    batchConcurrency: 4,
    jobTimes: { pollMs: 20, retryMs: 20 },
    ...options,
  });
  const { batches } = client;
  return {
    server,
    batches,
    waiting,
    aborted,
    asked,
    openAll() {
      open = true;
      for (const go of waiting) go();
    },
    create: (input: string) => batches.create({ input_file_id: input, endpoint, completion_window: '24h' }),
    until: (id: string, status: Batch['status']) =>
      vi.waitFor(async () => {
        const batch = await batches.retrieve(id);
        expect(batch.status).toBe(status);
        return batch;
      }, patient),
  };
}
