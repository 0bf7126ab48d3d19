import type { PassThrough, PassThroughRequest } from '@modelwire/ports';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ServerOptions } from '../../options/options.ts';
import { beginPost } from '../../testing/begin-post.ts';
import { adapters, key, listen } from '../../testing/listen.ts';
import type { Adapter, Listening } from '../../testing/listen.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';

interface RecordingPassThrough extends PassThrough {
  /** The upstream waits for it before it replies. */
  untilReply: Promise<unknown>;
  readonly forwarded: { readonly request: PassThroughRequest; received: number; error: unknown }[];
}

/** Forwards every request to an upstream that reads the whole body before it replies. `mayRenameModels`: forms are read up to their model first. */
function passThroughTo(mayRenameModels: boolean): RecordingPassThrough {
  const forwarded: RecordingPassThrough['forwarded'] = [];
  const passThrough: RecordingPassThrough = {
    untilReply: Promise.resolve(),
    forwarded,
    mayRenameModels,
    accepts: () => true,
    find: () => ({ upstream: 'box', model: undefined }),
    models: () => [],
    async forward(_, request) {
      const one: RecordingPassThrough['forwarded'][number] = { request, received: 0, error: undefined };
      forwarded.push(one);
      try {
        for await (const piece of request.body ?? []) one.received += piece.byteLength;
      } catch (error) {
        one.error = error;
        throw error;
      }
      await passThrough.untilReply;
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: new Blob(['done']).stream() };
    },
  };
  return passThrough;
}

async function start(adapter: Adapter, mayRenameModels: boolean, options: Partial<ServerOptions>) {
  const passThrough = passThroughTo(mayRenameModels);
  const engine = scriptedEngine(() => says('Hi'));
  const listening = await listen({ engines: [engine], passThrough, ...options }, adapter);
  return { listening, passThrough };
}

const kilobytes = (count: number) => ' '.repeat(count * 1024);
const patient = { timeout: 20_000 };

const begin = (listening: Listening, sent: string, length?: number) => beginPost(listening, '/v1/rerank', sent, length);
const beginForm = (listening: Listening, sent: string) =>
  beginPost(listening, '/v1/transcribe', sent, undefined, 'multipart/form-data; boundary=b');
const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
/** Status of a request of 300 KiB whose model is at its end. */
async function statusOf({ url }: Listening): Promise<number> {
  const response = await fetch(`${url}/v1/rerank`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: `{"input":"${kilobytes(300)}","model":"m"}`,
  });
  await response.text();
  return response.status;
}

describe.each(adapters)('by way of %s', (adapter: Adapter) => {
  const megabyte = { maxBufferedBytes: 1024 * 1024 };

  test('a JSON body counts towards the memory limit; beyond it, returns 503 with Retry-After', async () => {
    const { listening } = await start(adapter, false, megabyte);
    let first = begin(listening, `{"input":"${kilobytes(800)}`);
    // They arrive together, so the first may be the refused one.
    const status = (): Promise<number> => {
      if (first.received !== '') first = begin(listening, `{"input":"${kilobytes(800)}`);
      return statusOf(listening);
    };
    await expect.poll(status, patient).toBe(503);
    expect(first.received).toBe('');
    const refused = begin(listening, `{"input":"${kilobytes(300)}`);
    await expect.poll(() => refused.received, patient).toContain('"overloaded"');
    expect(refused.received.toLowerCase()).toContain('retry-after: 1');
    first.socket.destroy();
    await expect.poll(() => statusOf(listening), patient).toBe(200);
  });

  test('the memory of a JSON body is released when it has been forwarded', async () => {
    const { listening, passThrough } = await start(adapter, false, megabyte);
    const reply = Promise.withResolvers<undefined>();
    passThrough.untilReply = reply.promise;
    const body = `{"input":"${kilobytes(800)}"}`;
    const first = begin(listening, body, body.length);
    await expect.poll(() => passThrough.forwarded[0]?.received, patient).toBe(body.length);
    const second = statusOf(listening);
    await expect.poll(() => passThrough.forwarded[1]?.received, patient).toBeGreaterThan(300 * 1024);
    expect(first.received).toBe('');
    reply.resolve(undefined);
    expect(await second).toBe(200);
  });

  test('a JSON body beyond the size limit is a 413', async () => {
    const { listening, passThrough } = await start(adapter, false, { maxBodyBytes: 200 * 1024 });
    expect(await statusOf(listening)).toBe(413);
    expect(passThrough.forwarded).toEqual([]);
  });

  test('the memory of a form up to its model is released when that has been forwarded', async () => {
    const { listening, passThrough } = await start(adapter, true, megabyte);
    const first = beginForm(listening, `${field('file', kilobytes(800))}${field('model', 'm')}--b`);
    await expect.poll(() => passThrough.forwarded[0]?.received, patient).toBeGreaterThan(800 * 1024);
    expect(await statusOf(listening)).toBe(200);
    expect(first.received).toBe('');
  });

  test('bodies that are forwarded as they arrive need no memory', async () => {
    const { listening, passThrough } = await start(adapter, false, megabyte);
    beginForm(listening, field('file', kilobytes(3000)));
    await expect.poll(() => passThrough.forwarded[0]?.received, patient).toBeGreaterThan(3000 * 1024);
    expect(await statusOf(listening)).toBe(200);
  });

  test.each([
    ['JSON', true, begin, '{"model":"m","input":"'],
    ['a form before its model', true, beginForm, field('input', '')],
    ['a form after its model', true, beginForm, field('model', 'm')],
    ['a form while it is forwarded', false, beginForm, field('model', 'm')],
  ])(
    'returns 408 for a client that stops sending %s, and aborts the request to the upstream',
    async (_, mayRenameModels, beginBody, sent) => {
      const { listening, passThrough } = await start(adapter, mayRenameModels, { uploadIdleTimeoutMs: 50 });
      const body = beginBody(listening, sent);
      await expect.poll(() => body.received, patient).toContain('request_timeout');
      expect(body.received).toMatch(/^HTTP\/1\.1 408 /);
      await expect.poll(() => listening.server.stats().requestsInFlight).toBe(0);
      for (const { request, error } of passThrough.forwarded) {
        expect(request.signal.aborted).toBe(true);
        expect(error).toMatchObject({ status: 408 });
      }
    },
  );

  test('returns 408 for a body that takes too long in total', async () => {
    const { listening } = await start(adapter, false, { uploadTimeoutMs: 200 });
    const body = begin(listening, '{');
    const timer = setInterval(() => body.socket.write(' '), 10);
    onTestFinished(() => clearInterval(timer));
    await expect.poll(() => body.received, patient).toMatch(/^HTTP\/1\.1 408 /);
  });
});
