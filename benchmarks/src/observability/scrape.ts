import { spawnChild } from '../child.ts';
import type { HostQuestion, Used } from '../http/host.ts';
import { apiKey } from '../http/payload.ts';
import { gatewaySize } from '../http/servers/modelwire.ts';
import type { Address } from '../http/servers/server.ts';
import { median, quantile } from '../statistics.ts';

export interface ScrapeTimes {
  /** Milliseconds until the reply of `GET /metrics` has been read. */
  readonly median: number;
  readonly p95: number;
  /** Milliseconds of the server's CPU time for each scrape. */
  readonly cpu: number;
  /** Size of the reply. */
  readonly bytes: number;
}

/** Scrapes a server with many models and upstreams, after requests to each model at each upstream. */
export async function measureScrapes(scrapes: number): Promise<ScrapeTimes> {
  const host = new URL('../http/host.ts', import.meta.url);
  const upstream = spawnChild(host, ['raw']);
  const server = spawnChild(host, ['manyUpstreams']);
  try {
    const at = await upstream.ask<Address>({ start: 'raw', upstream: '' } satisfies HostQuestion);
    const question: HostQuestion = { start: 'manyUpstreams', upstream: at.url.replace('/chat/completions', '') };
    const { url } = await server.ask<Address>(question);
    const metrics = new URL('/metrics', url);
    for (let index = 0; index < gatewaySize.models; index++) {
      const requests = Array.from({ length: gatewaySize.upstreams }, (_, number) =>
        complete(url, `model-${index}`, number % 2 === 0),
      );
      await Promise.all(requests);
    }
    const used = async (): Promise<number> => (await server.ask<Used>({ used: true } satisfies HostQuestion)).cpu;
    const before = await used();
    const times: number[] = [];
    let bytes = 0;
    for (let scrape = 0; scrape < scrapes; scrape++) {
      const startedAt = performance.now();
      const response = await fetch(metrics);
      bytes = (await response.arrayBuffer()).byteLength;
      times.push(performance.now() - startedAt);
      if (!response.ok) throw new Error(`GET /metrics: status ${response.status}`);
    }
    const cpu = ((await used()) - before) / scrapes / 1000;
    return { cpu, median: median(times), p95: quantile(times, 0.95), bytes };
  } finally {
    await Promise.all([upstream.stop(), server.stop()]);
  }
}

async function complete(url: string, model: string, stream: boolean): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${model}: status ${response.status}`);
}
