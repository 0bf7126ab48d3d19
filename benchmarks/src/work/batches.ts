import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI, { toFile } from 'openai';
import { apiKey, model } from '../servers/payload.ts';
import type { ServerProcess } from '../servers/start-server.ts';
import { median } from '../statistics.ts';
import { short, table } from '../table.ts';
import type { Report } from './section.ts';

/** Times batches from their creation until their result files are readable. */
export async function measureBatches(
  server: ServerProcess,
  { lines, rounds }: { readonly lines: number; readonly rounds: number },
  say: (text: string) => void,
): Promise<Report> {
  const client = new OpenAI({ apiKey, baseURL: server.base });
  const input = await client.files.create({ purpose: 'batch', file: await toFile(inputOf(lines), 'input.jsonl') });
  const measured: { rate: number; cpu: number; rss: number }[] = [];
  // An uncounted round compiles the code.
  for (let round = 0; round <= rounds; round++) {
    const before = await server.used();
    const started = performance.now();
    const created = { input_file_id: input.id, endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
    let batch = await client.batches.create(created);
    while (batch.status !== 'completed') {
      if (batch.status === 'failed' || batch.status === 'expired') throw new Error(JSON.stringify(batch));
      await sleep(20);
      batch = await client.batches.retrieve(batch.id);
    }
    const rate = (lines * 1000) / (performance.now() - started);
    const after = await server.used();
    say(`batch of ${lines} lines: ${Math.round(rate)} lines/s`);
    if (round > 0) measured.push({ rate, cpu: (after.cpu - before.cpu) / lines, rss: after.rss });
  }
  const rate = median(measured.map((one) => one.rate));
  const cpu = median(measured.map((one) => one.cpu));
  const memory = Math.max(...measured.map(({ rss }) => rss));
  return {
    table: table(
      ['batch, engine without delay', 'lines/s', 'server CPU per line, µs', 'memory, MB'],
      [[`${lines} lines`, short(rate), short(cpu), short(memory / 1e6)]],
    ),
    target: { what: 'lines of a batch per second', wanted: { atLeast: 10_000 }, unit: '', reached: rate },
  };
}

function inputOf(lines: number): Buffer {
  const line = (index: number) => ({
    custom_id: `request-${index}`,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model, messages: [{ role: 'user', content: `Question ${index}: say a hundred words about anything.` }] },
  });
  return Buffer.from(Array.from({ length: lines }, (_, index) => JSON.stringify(line(index))).join('\n'));
}
