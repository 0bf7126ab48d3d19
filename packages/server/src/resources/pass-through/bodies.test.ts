import type { PassThrough, PassThroughRequest } from '@modelwire/ports';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ServerOptions } from '../../options.ts';
import { beginPost } from '../../testing/begin-post.ts';
import { adapters, key, listen } from '../../testing/listen.ts';
import type { Adapter, Listening } from '../../testing/listen.ts';
import { says, scriptedEngine } from '../../testing/scripted-engine.ts';

interface RecordingPassThrough extends PassThrough {
  readonly forwarded: { readonly request: PassThroughRequest; received: number; error: unknown }[];
}

/** Forwards every request to an upstream that reads the whole body before it replies. `mayRenameModels`: bodies are read up to their model first. */
function passThroughTo(mayRenameModels: boolean): RecordingPassThrough {
  const forwarded: RecordingPassThrough['forwarded'] = [];
  return {
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
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: new Blob(['done']).stream() };
    },
  };
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

  test('bytes before the model count towards the memory limit; beyond it, returns 503 with Retry-After', async () => {
    const { listening } = await start(adapter, true, megabyte);
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

  test('the memory of the first bytes is released when they have been forwarded', async () => {
    const { listening, passThrough } = await start(adapter, true, megabyte);
    const first = begin(listening, `{"input":"${kilobytes(800)}","model":"m","more":"`);
    await expect.poll(() => passThrough.forwarded[0]?.received, patient).toBeGreaterThan(800 * 1024);
    expect(await statusOf(listening)).toBe(200);
    expect(first.received).toBe('');
  });

  test('bodies that are forwarded as they arrive need no memory', async () => {
    const { listening, passThrough } = await start(adapter, false, megabyte);
    begin(listening, `{"input":"${kilobytes(3000)}`);
    await expect.poll(() => passThrough.forwarded[0]?.received, patient).toBeGreaterThan(3000 * 1024);
    expect(await statusOf(listening)).toBe(200);
  });

  test.each([
    ['before its model', true, '{"input":"'],
    ['after its model', true, '{"model":"m","input":"'],
    ['while it is forwarded', false, '{"input":"'],
  ])(
    'returns 408 for a client that stops sending %s, and aborts the request to the upstream',
    async (_, mayRenameModels, sent) => {
      const { listening, passThrough } = await start(adapter, mayRenameModels, { uploadIdleTimeoutMs: 50 });
      const body = begin(listening, sent);
      await expect.poll(() => body.received, patient).toContain('request_timeout');
      expect(body.received).toMatch(/^HTTP\/1\.1 408 /);
      await expect.poll(() => listening.server.inFlight()).toBe(0);
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
