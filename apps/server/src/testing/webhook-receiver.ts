import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { listenForTest } from '@modelwire/vitest/listen';

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
  const host = await listenForTest(server);
  return {
    url: `http://${host}/events`,
    host,
    received,
    answer: (status, headers = {}) => void (reply = { status, headers }),
  };
}

const plain = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
