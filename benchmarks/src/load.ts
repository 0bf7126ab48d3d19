import { Client } from 'undici/index.js';
import { answerParent } from './child.ts';
import { quantile } from './statistics.ts';

export interface LoadedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Repeats a request; each connection sends the next one when its reply is complete. */
export interface LoadQuestion extends LoadedRequest {
  readonly connections: number;
  /** Duration of the warm-up, which is not counted: connections are opened meanwhile. */
  readonly warmUpMs: number;
  readonly ms: number;
}

export interface LoadAnswer {
  /** Complete replies per second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Median milliseconds to the first byte of the body. */
  readonly firstByte: number;
  /** Number of replies, including the warm-up. */
  readonly answered: number;
  readonly failed: number;
  /** Share of one core that the load itself used. */
  readonly busy: number;
}

answerParent(async (question): Promise<LoadAnswer> => {
  const { url, headers, body, connections, warmUpMs, ms } = question as LoadQuestion;
  const { origin, pathname: path } = new URL(url);
  const cpu = process.cpuUsage();
  const began = performance.now();
  const from = began + warmUpMs;
  const until = from + ms;
  const latencies: number[] = [];
  const firstBytes: number[] = [];
  let answered = 0;
  let failed = 0;
  let failure: unknown;

  /** Resolves to the time of the first byte of the body. */
  function send(client: Client): Promise<number> {
    return new Promise((resolve, reject) => {
      let status = 0;
      let firstByte = 0;
      client.dispatch(
        { path, method: 'POST', headers, body },
        {
          onRequestStart: () => {},
          onResponseStart: (_, received) => void (status = received),
          onResponseData: () => void (firstByte ||= performance.now()),
          onResponseEnd: () => (status === 200 ? resolve(firstByte) : reject(new Error(`status ${status}`))),
          onResponseError: (_, error) => reject(error),
        },
      );
    });
  }
  async function connection(): Promise<void> {
    const client = new Client(origin);
    for (let sent = performance.now(); sent < until; sent = performance.now()) {
      const firstByte = await send(client).catch((error: unknown) => {
        failed++;
        failure = error;
      });
      const now = performance.now();
      answered++;
      if (firstByte === undefined || now < from || now >= until) continue;
      latencies.push(now - sent);
      firstBytes.push(firstByte - sent);
    }
    await client.destroy();
  }

  await Promise.all(Array.from({ length: connections }, connection));
  if (failed > 0 && failed === answered) throw failure;
  const { user, system } = process.cpuUsage(cpu);
  return {
    rate: (latencies.length * 1000) / ms,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    firstByte: quantile(firstBytes, 0.5),
    answered,
    failed,
    busy: (user + system) / 1000 / (performance.now() - began),
  };
});
