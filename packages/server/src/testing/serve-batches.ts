import type { CapabilitiesInit } from '@modelwire/ports';
import type { Batch } from 'openai/resources/batches';
import { expect, vi } from 'vitest';
import type { ServerOptions } from '../options/options.ts';
import { listen } from './listen.ts';
import { memoryWork } from './memory-work.ts';
import type { MemoryWork } from './memory-work.ts';
import { contentOf, says, scriptedEngine } from './scripted-engine.ts';

/** Generous, since test machines can be busy. */
export const patient = { timeout: 60_000, interval: 5 };

export const endpoint = '/v1/chat/completions';
export type Script = Parameters<typeof scriptedEngine>[0];

export const lines = (count: number, body: object = {}) =>
  Array.from({ length: count }, (_, n) => ({
    custom_id: `line ${n}`,
    method: 'POST',
    url: endpoint,
    body: { model: 'scripted', messages: [{ role: 'user', content: String(n) }], ...body },
  }));

interface Init extends Partial<ServerOptions> {
  readonly work?: MemoryWork;
  readonly script?: Script;
  readonly can?: CapabilitiesInit;
}

export async function serve({ work = memoryWork(), script = () => says('Hi'), can, ...options }: Init = {}) {
  const engine = scriptedEngine(script, { concurrency: 64, ...(can && { can }) });
  const reported: unknown[] = [];
  const { server, client, url } = await listen({
    engines: [engine],
    stores: work.stores,
    blobs: work.blobs,
    report: (what, error) => reported.push(what, error),
    jobTimes: { pollMs: 20, retryMs: 20 },
    batchRetryDelayMs: 5,
    ...options,
  });
  const { batches } = client;
  return {
    work,
    server,
    batches,
    client,
    engine,
    reported,
    url,
    create: (input: string) => batches.create({ input_file_id: input, endpoint, completion_window: '24h' }),
    until: (id: string, ...statuses: Batch['status'][]) =>
      vi.waitFor(async () => {
        const batch = await batches.retrieve(id);
        expect(statuses).toContain(batch.status);
        return batch;
      }, patient),
  };
}

export const asked = (request: Parameters<Script>[0]): number => Number(contentOf(request));
