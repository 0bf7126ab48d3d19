import { connect } from 'node:net';
import { answerParent } from '../child.ts';
import { quantile } from '../statistics.ts';
import { createReplyReader } from './reply-reader.ts';

/** Repeats a request; each connection sends the next one when its reply is complete. */
export interface LoadQuestion {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
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
  const { body, connections, headers, ms, url, warmUpMs } = question as LoadQuestion;
  const { hostname, pathname, port } = new URL(url);
  const fields = { host: `${hostname}:${port}`, 'content-type': 'application/json', ...headers };
  const lines = Object.entries({ ...fields, 'content-length': String(Buffer.byteLength(body)) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const request = Buffer.from(`POST ${pathname} HTTP/1.1\r\n${head}\r\n${body}`);

  const cpu = process.cpuUsage();
  const began = performance.now();
  const from = began + warmUpMs;
  const until = from + ms;
  const latencies: number[] = [];
  const firstBytes: number[] = [];
  let answered = 0;
  let failed = 0;
  await Promise.all(Array.from({ length: connections }, connection));
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

  function connection(): Promise<void> {
    return new Promise((resolve, reject) => {
      const reader = createReplyReader();
      let sent = 0;
      let first = 0;
      let over = false;
      let socket = open();

      function open() {
        const opened = connect({ host: hostname, port: Number(port), noDelay: true });
        opened.on('connect', next);
        opened.on('data', receive);
        opened.on('error', (error) => {
          if (!over) reject(error);
        });
        opened.on('close', () => {
          if (over || opened !== socket) return;
          failed++;
          reopen();
        });
        return opened;
      }
      function reopen(): void {
        const last = socket;
        socket = open();
        last.destroy();
      }
      function next(): void {
        sent = performance.now();
        if (sent >= until) {
          over = true;
          socket.destroy();
          resolve();
          return;
        }
        reader.reset();
        first = 0;
        socket.write(request);
      }
      function receive(bytes: Buffer): void {
        const complete = reader.push(bytes);
        if (first === 0 && reader.begun) first = performance.now();
        if (!complete) return;
        const now = performance.now();
        answered++;
        if (reader.status !== 200) failed++;
        else if (now >= from && now < until) {
          latencies.push(now - sent);
          firstBytes.push(first - sent);
        }
        if (reader.keepAlive) next();
        else reopen();
      }
    });
  }
});
