import { spawnChild } from '../child.ts';
import type { HostQuestion, Used } from '../http/host.ts';
import type { LoadAnswer, LoadQuestion } from '../http/load.ts';
import { apiKey } from '../http/payload.ts';
import type { Address } from '../http/servers/server.ts';
import { rotated } from '../statistics.ts';

export const ways = ['plain', 'stored'] as const;
export type Way = (typeof ways)[number];

export interface WaySample extends LoadAnswer {
  /** Microseconds of the server's CPU time for each request, its threads included. */
  readonly cpu: number;
}

export type OverHttp = Readonly<Record<Way, WaySample[]>>;

export interface OverHttpOptions {
  readonly rounds: number;
  readonly ms: number;
  readonly compileMs: number;
}

/** The same request to the same app with `store: false` and `store: true`, in alternation. */
export async function measureOverHttp(
  { rounds, ms, compileMs }: OverHttpOptions,
  say: (text: string) => void,
): Promise<OverHttp> {
  const host = spawnChild(new URL('../http/host.ts', import.meta.url), ['storing']);
  const load = spawnChild(new URL('../http/load.ts', import.meta.url), []);
  const samples: OverHttp = { plain: [], stored: [] };
  try {
    const { url } = await host.ask<Address>({ start: 'storing', upstream: '' } satisfies HostQuestion);
    const used = (): Promise<Used> => host.ask<Used>({ used: true } satisfies HostQuestion);
    const measure = async (way: Way, duration: number): Promise<WaySample> => {
      const before = await used();
      const answer = await load.ask<LoadAnswer>({
        url,
        headers: { authorization: `Bearer ${apiKey}` },
        body: bodyOf(way),
        connections: 16,
        warmUpMs: 200,
        ms: duration,
      } satisfies LoadQuestion);
      if (answer.failed > 0) throw new Error(`${way}: ${answer.failed} of ${answer.answered} failed`);
      return { ...answer, cpu: ((await used()).cpu - before.cpu) / answer.answered };
    };
    await checkStored(url);
    for (const way of ways) await measure(way, compileMs);
    for (let round = 0; round < rounds; round++) {
      for (const way of rotated(ways, round)) {
        const sample = await measure(way, ms);
        samples[way].push(sample);
        say(`round ${round + 1}: create, ${way}: p50 ${sample.p50.toFixed(3)} ms, ${Math.round(sample.rate)}/s`);
      }
    }
    return samples;
  } finally {
    await Promise.all([host.stop(), load.stop()]);
  }
}

function bodyOf(way: Way): string {
  return JSON.stringify({
    model: 'simulator',
    temperature: 0,
    store: way === 'stored',
    messages: [
      { role: 'system', content: 'You are a helpful assistant.' },
      { role: 'user', content: 'Say a hundred words about anything.' },
    ],
  });
}

/** Verifies that `store` has an effect. */
async function checkStored(url: string): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  for (const way of ways) {
    const created = await fetch(url, { method: 'POST', headers, body: bodyOf(way) });
    const { id } = (await created.json()) as { id?: string };
    const { status } = await fetch(`${url}/${id ?? ''}`, { headers });
    if (status !== (way === 'stored' ? 200 : 404)) throw new Error(`${way}: retrieving it answered ${status}`);
  }
}
