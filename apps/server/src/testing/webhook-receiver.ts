import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedEvent {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly event: { readonly id: string; readonly type: string; readonly data: Record<string, unknown> };
}

export interface WebhookReceiver {
  readonly url: string;
  /** For `webhookTrustedHosts`. */
  readonly host: string;
  readonly received: readonly ReceivedEvent[];
  /** What the next requests are answered with; 0: no reply. Default 200. */
  answer(status: number, headers?: Readonly<Record<string, string>>): void;
}

/** A server that receives webhooks, until the test has finished. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedEvent[] = [];
  let reply: { status: number; headers: Readonly<Record<string, string>> } = { status: 200, headers: {} };
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString();
      received.push({ headers: plain(request.headers), body, event: JSON.parse(body) as ReceivedEvent['event'] });
      if (reply.status > 0) response.writeHead(reply.status, reply.headers).end('thanks');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}/events`,
    host,
    received,
    answer: (status, headers = {}) => void (reply = { status, headers }),
  };
}

const plain = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
