import { once } from 'node:events';
import { createServer } from 'node:http';

export interface WebhookReceiver {
  readonly url: string;
  /** For `webhookTrustedHosts`. */
  readonly host: string;
  /** The `webhook-id` headers of the received events. */
  readonly received: readonly string[];
  /** The status of the next replies. Default 200. */
  status: number;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a server that receives webhook events. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']));
    request.resume();
    request.on('end', () => response.writeHead(receiver.status).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const receiver: WebhookReceiver = {
    url: `http://${host}/events`,
    host,
    received,
    status: 200,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return receiver;
}
