import { setTimeout as sleep } from 'node:timers/promises';
import type { HostQuestion, Used } from '../http/host.ts';
import { apiKey, model } from '../http/payload.ts';
import { median } from '../statistics.ts';
import { short, table } from '../table.ts';
import type { Target } from '../targets.ts';
import type { RunningServer } from './section.ts';

export interface BatchesMeasured {
  readonly lines: number;
  readonly rounds: readonly { readonly ms: number; readonly cpu: number; readonly rss: number }[];
}

const headers = { authorization: `Bearer ${apiKey}` };

async function call(url: string, body?: object): Promise<Readonly<Record<string, unknown>>> {
  const init = body && { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(url, { ...init, headers: { ...headers, 'content-type': 'application/json' } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} responded with ${response.status}: ${text}`);
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}

/** Times batches from their creation until their result files are readable. */
export async function measureBatches(
  { base, child }: RunningServer,
  { lines, rounds }: { readonly lines: number; readonly rounds: number },
  say: (text: string) => void,
): Promise<BatchesMeasured> {
  const form = new FormData();
  form.set('purpose', 'batch');
  form.set('file', new File([inputOf(lines)], 'input.jsonl'));
  const file = (await (await fetch(`${base}/files`, { method: 'POST', headers, body: form })).json()) as { id: string };
  const measured: { ms: number; cpu: number; rss: number }[] = [];
  // An uncounted round compiles the code.
  for (let round = 0; round <= rounds; round++) {
    const before = await child.ask<Used>({ used: true } satisfies HostQuestion);
    const started = performance.now();
    const created = { input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' };
    let batch = await call(`${base}/batches`, created);
    while (batch['status'] !== 'completed') {
      if (batch['status'] === 'failed' || batch['status'] === 'expired') throw new Error(JSON.stringify(batch));
      await sleep(20);
      batch = await call(`${base}/batches/${String(batch['id'])}`);
    }
    const ms = performance.now() - started;
    const after = await child.ask<Used>({ used: true } satisfies HostQuestion);
    const cpu = (after.cpu - before.cpu) / lines;
    say(`batch of ${lines} lines: ${Math.round((lines * 1000) / ms)} lines/s, ${Math.round(cpu)} µs`);
    if (round > 0) measured.push({ ms, cpu, rss: after.rss });
  }
  return { lines, rounds: measured };
}

function inputOf(lines: number): string {
  const line = (index: number) => ({
    custom_id: `request-${index}`,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model, messages: [{ role: 'user', content: `Question ${index}: say a hundred words about anything.` }] },
  });
  return Array.from({ length: lines }, (_, index) => JSON.stringify(line(index))).join('\n');
}

const rateOf = ({ lines, rounds }: BatchesMeasured): number => median(rounds.map(({ ms }) => (lines * 1000) / ms));

export function batchTable(measured: BatchesMeasured): string {
  const { lines, rounds } = measured;
  return table(
    ['batch, engine without delay', 'lines/s', 'server CPU per line, µs', 'memory, MB'],
    [
      [
        `${lines} lines`,
        short(rateOf(measured)),
        short(median(rounds.map(({ cpu }) => cpu))),
        short(Math.max(...rounds.map(({ rss }) => rss)) / 1e6),
      ],
    ],
  );
}

export function batchTarget(measured: BatchesMeasured): Target {
  return { what: 'lines of a batch per second', wanted: { atLeast: 10_000 }, unit: '', reached: rateOf(measured) };
}
