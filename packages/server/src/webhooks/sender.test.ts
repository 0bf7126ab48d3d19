import type { RequestListener } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { serveHttp } from '../testing/serve-http.ts';
import { webhookSender } from './sender.ts';
import type { WebhookSenderOptions } from './sender.ts';

/** A receiver on a separate port, and a delivery to it. */
async function receiverOf(listener: RequestListener, options: Omit<WebhookSenderOptions, 'trustedHosts'> = {}) {
  const host = await serveHttp(listener);
  const sender = webhookSender({ trustedHosts: [host], ...options });
  const { signal } = new AbortController();
  return { send: () => sender.send({ url: new URL(`http://${host}/hook`), headers: {}, body: '{}', signal }) };
}

test('resolves to the status of the receiver, and has sent the body', async () => {
  let received = '';
  const { send } = await receiverOf((request, response) => {
    request.on('data', (piece: Buffer) => (received += piece.toString()));
    request.on('end', () => response.writeHead(204).end());
  });
  expect(await send()).toBe(204);
  expect(received).toBe('{}');
});

test.each([
  [
    'https://example.com:444/',
    "the URL has the port 444; only the ports 80 and 443 are allowed. The setting 'webhookTrustedHosts' allows more hosts and ports",
  ],
  ['ftp://example.com/', 'the URL must begin with http:// or https://'],
  ['https://user:password@example.com/', 'the URL must not contain a user name or a password'],
  ['https://example.com/', undefined],
  ['https://93.184.215.14/', undefined],
  ['http://localhost.example.com/', undefined],
  ...['10.0.0.1', '169.254.169.254', '[::1]', '127.0.0.1', '[::ffff:a00:1]', 'localhost', 'a.localhost.'].map(
    (host) =>
      [
        `http://${host}/`,
        `the host ${host} is not on the public internet. The setting 'webhookTrustedHosts' allows more hosts and ports`,
      ] as const,
  ),
] as const)('the refusal of %s says what is allowed', (url, refusal) => {
  expect(webhookSender().refusal(new URL(url))).toBe(refusal);
});

test('a trusted host may have an address that is not public', () => {
  const { refusal } = webhookSender({ trustedHosts: ['10.0.0.1:80', '[::1]:8080'] });
  expect(refusal(new URL('http://10.0.0.1/'))).toBeUndefined();
  expect(refusal(new URL('http://[::1]:8080/'))).toBeUndefined();
  expect(refusal(new URL('https://10.0.0.1/'))).toContain('webhookTrustedHosts');
});

test('a redirect is not followed: its status is the result', async () => {
  const paths: (string | undefined)[] = [];
  const { send } = await receiverOf((request, response) => {
    paths.push(request.url);
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  expect(await send()).toBe(307);
  expect(paths).toEqual(['/hook']);
});

test('a receiver that does not reply fails after the timeout', async () => {
  const { send } = await receiverOf(() => {}, { timeoutMs: 50 });
  await expect(send()).rejects.toThrow('no complete reply within 50 ms');
});

test('a receiver whose reply does not end fails after the timeout', async () => {
  const { send } = await receiverOf((_request, response) => void response.writeHead(200).write('a'), { timeoutMs: 50 });
  await expect(send()).rejects.toThrow('no complete reply within 50 ms');
});

test('a receiver that closes the connection without a reply fails, and the reason names no address', async () => {
  const { send } = await receiverOf((request) => request.socket.end());
  await expect(send()).rejects.toThrow(/^other side closed$/);
});

test('only the start of an endless reply is read, and then the connection is closed', async () => {
  const closed = Promise.withResolvers<unknown>();
  const { send } = await receiverOf((_request, response) => {
    response.writeHead(200);
    response.on('close', () => closed.resolve(undefined));
    void (async () => {
      while (!response.destroyed) {
        response.write(Buffer.alloc(16_384));
        await setImmediate();
      }
    })();
  });
  expect(await send()).toBe(200);
  await closed.promise;
});

test.each([
  'http://127.0.0.1/',
  'http://[::1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://10.1.2.3/',
  'http://169.254.169.254/latest/meta-data/',
  'http://192.168.0.1/',
  'http://100.64.0.1/',
  'http://0.0.0.0/',
  'http://2130706433/',
])('%s is not sent to: its address is not public', async (url) => {
  const { signal } = new AbortController();
  const delivery = webhookSender().send({ url: new URL(url), headers: {}, body: '{}', signal });
  await expect(delivery).rejects.toThrow('not public');
});
