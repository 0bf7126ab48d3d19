import { request as httpRequest } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { toFile } from 'openai';
import { describe, expect, test, vi } from 'vitest';
import type { RequestLogEntry } from '../../request-log.ts';
import { boundary, formBytes, formType } from '../../testing/form.ts';
import { adapters, key, listen } from '../../testing/listen.ts';
import type { Adapter } from '../../testing/listen.ts';
import { memoryWork } from '../../testing/memory-work.ts';
import type { ServerOptions } from '../../options/options.ts';

const authorization = `Bearer ${key}`;
const purpose = { name: 'purpose', body: 'evals' };
const sent = { name: 'file', filename: 'a', body: 'content' };

async function files(adapter: Adapter, options: Partial<ServerOptions> = {}) {
  const kept = memoryWork();
  const { stores, blobs } = kept;
  const listening = await listen({ engines: [], stores, blobs, worker: false, ...options }, adapter);
  const { url, client, server } = listening;
  return {
    ...listening,
    ...kept,
    send: (body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
      fetch(`${url}/v1/files`, {
        method: 'POST',
        headers: { authorization, 'content-type': formType, ...headers },
        body,
      }),
    create: async (content: string | Uint8Array) =>
      (await client.files.create({ file: await toFile(Buffer.from(content), 'a.txt'), purpose: 'evals' })).id,
    read: (id: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`${url}/v1/files/${id}/content`, { method, headers: { authorization, ...headers } }),
    idle: () => expect.poll(() => server.stats().requestsInFlight).toBe(0),
  };
}

describe.each(adapters)('by way of %s', (adapter) => {
  test('a file can be uploaded, and read completely, in part and with HEAD', async () => {
    const { create, read, idle, reserved } = await files(adapter);
    const content = 'ü0123456789'.repeat(50_000);
    const bytes = Buffer.from(content);
    const id = await create(content);
    expect(reserved.size).toBe(0);
    expect(await (await read(id)).text()).toBe(content);
    const part = await read(id, { range: 'bytes=65530-131080' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 65530-131080/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(65_530, 131_081))).toBe(true);
    const head = await read(id, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(bytes.length),
      '',
    ]);
    expect((await read(id, { range: `bytes=${bytes.length}-` })).status).toBe(416);
    await idle();
  });

  test.each([
    ['a form without a file', formBytes([purpose]), formType, 400],
    ['a file with a purpose after it that is none', formBytes([sent, { ...purpose, body: 'x' }]), formType, 400],
    ['a file whose name has no end', formBytes([purpose, { ...sent, filename: 'x'.repeat(1025) }]), formType, 400],
    ['a form that is cut off', formBytes([purpose, { name: 'file', body: 'x' }], ''), formType, 400],
    ['a body of another type', Buffer.from('{}'), 'application/json', 415],
    ['no boundary', formBytes([purpose]), 'multipart/form-data', 400],
  ])('refuses %s, and stores nothing', async (_, body, contentType, status) => {
    const { send, idle, files: records, reserved } = await files(adapter);
    expect((await send(new Uint8Array(body), { 'content-type': contentType })).status).toBe(status);
    expect(records.count()).toBe(0);
    for (const due of reserved.values()) expect(due).toBeLessThanOrEqual(Date.now());
    await idle();
  });

  test('refuses a part that becomes too large while it is sent', async () => {
    const { url, client, idle } = await files(adapter);
    const upload = await client.uploads.create({ filename: 'a', bytes: 1, mime_type: 'a/b', purpose: 'evals' });
    let sent = 0;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sending = httpRequest(`${url}/v1/uploads/${upload.id}/parts`, {
        method: 'POST',
        headers: { authorization, 'content-type': formType },
      });
      let hasResponse = false;
      sending.on('response', (response) => {
        hasResponse = true;
        response.resume();
        resolve(response.statusCode);
        sending.destroy();
      });
      sending.on('error', reject);
      sending.write(formBytes([{ name: 'data', filename: 'a', body: '' }], '').subarray(0, -2));
      const more = (): void => {
        if (hasResponse) return;
        sent += 1024 * 1024;
        // The form never ends: the response does not wait for the rest.
        sending.write(new Uint8Array(1024 * 1024), () => setImmediate(more));
      };
      more();
    });
    expect(status).toBe(413);
    expect(sent).toBeLessThan(256 * 1024 * 1024);
    await idle();
  });

  test('disconnects a client that stalls, and detects one that disconnects', async () => {
    const log: RequestLogEntry[] = [];
    const { url, idle } = await files(adapter, { uploadIdleTimeoutMs: 500, log: (entry) => log.push(entry) });
    const begin = () => {
      const sending = httpRequest(`${url}/v1/files`, {
        method: 'POST',
        headers: { authorization, 'content-type': formType },
      });
      sending.on('error', () => undefined);
      sending.write(formBytes([purpose], `--${boundary}\r\n`));
      return sending;
    };
    const stalling = begin();
    const status = await new Promise((resolve) => stalling.on('response', ({ statusCode }) => resolve(statusCode)));
    expect(status).toBe(408);
    stalling.destroy();
    const leaving = begin();
    leaving.destroy();
    await idle();
    await wait(100);
    expect(log.filter(({ aborted }) => aborted !== true)).toMatchObject([{ status: 408, error: 'request_timeout' }]);
  });

  test('missing bytes return 500 without details, and no partial response', async () => {
    const { create, read, bytes, idle } = await files(adapter);
    const id = await create('content');
    bytes.clear();
    const response = await read(id);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('blob_');
    await idle();
  });

  test('truncated bytes close the connection, so that they do not look complete', async () => {
    const kept = memoryWork();
    const failures: unknown[] = [];
    const blobs = {
      ...kept.blobs,
      async *read() {
        yield new Uint8Array(10);
        await wait(10);
        throw new Error('the disk has failed');
      },
    };
    const { create, read, idle } = await files(adapter, {
      stores: kept.stores,
      blobs,
      report: (_, error) => failures.push(error),
    });
    const response = await read(await create('x'.repeat(300_000)));
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
    await idle();
    expect(failures).toMatchObject([{ message: 'the disk has failed' }]);
  });

  test.each([
    ['a changed bit', (bytes: Buffer) => bytes.writeUInt8(bytes.readUInt8(1000) ^ 1, 1000)],
    ['a changed last byte', (bytes: Buffer) => bytes.writeUInt8(0, bytes.length - 1)],
  ])('damaged contents are a 500, or break off before their end if they are large: %s', async (_, damage) => {
    const kept = memoryWork();
    const reported: unknown[] = [];
    const countCorrupted = vi.fn();
    const { create, read, idle } = await files(adapter, {
      stores: kept.stores,
      blobs: kept.blobs,
      observer: { startRequest: () => undefined, contentCorrupted: countCorrupted },
      report: (...report) => reported.push(report),
    });
    const small = await create('GOOD-'.repeat(40_000));
    const large = await create('GOOD-'.repeat(400_000));
    for (const bytes of kept.bytes.values()) damage(bytes);
    const refused = await read(small);
    expect([refused.status, refused.headers.get('x-should-retry')]).toEqual([500, 'false']);
    expect(await refused.json()).toMatchObject({ error: { code: 'content_corrupted' } });
    const broken = await read(large);
    expect(broken.status).toBe(200);
    await expect(broken.arrayBuffer()).rejects.toThrow();
    await idle();
    expect(countCorrupted).toHaveBeenCalledTimes(2);
    const found = ['stored contents are damaged', expect.objectContaining({ name: 'ContentCorruptedError' })];
    expect(reported).toEqual([found, found]);
  });

  test('a range states that it is not verified', async () => {
    const { create, read } = await files(adapter);
    const id = await create('GOOD-'.repeat(40_000));
    const header = 'x-modelwire-content-verified';
    expect((await read(id, { range: 'bytes=0-9' })).headers.get(header)).toBe('false');
    expect((await read(id, { range: 'bytes=0-' })).headers.get(header)).toBe('false');
    expect((await read(id)).headers.get(header)).toBeNull();
  });

  test('disconnects a client that stops reading', async () => {
    const { create, read, idle, server } = await files(adapter, { writeTimeoutMs: 1000 });
    const id = await create(new Uint8Array(40_000_000));
    const response = await read(id);
    expect(response.status).toBe(200);
    expect(server.stats().requestsInFlight).toBe(1);
    // The client does not read the body.
    await idle();
    await response.body?.cancel().catch(() => undefined);
  });

  test('stops when the client disconnects', async () => {
    const { create, read, idle } = await files(adapter);
    const response = await read(await create(new Uint8Array(40_000_000)));
    await response.body?.cancel();
    await idle();
  });

  test('a form that cannot be stored leaves no record, and releases its bytes', async () => {
    const kept = memoryWork();
    const blobs = { ...kept.blobs, write: () => Promise.reject(new Error('disk full')) };
    const { send, idle, files: records } = await files(adapter, { stores: kept.stores, blobs });
    const form = new Uint8Array(formBytes([purpose, { name: 'file', filename: 'a', body: 'x'.repeat(500_000) }]));
    expect((await send(form)).status).toBe(500);
    expect(records.count()).toBe(0);
    for (const due of kept.reserved.values()) expect(due).toBeLessThanOrEqual(Date.now());
    expect(kept.reserved.size).toBe(1);
    await idle();
  });
});

test('rejects blobs without stores', async () => {
  await expect(listen({ engines: [], blobs: memoryWork().blobs })).rejects.toThrow('blobs requires stores');
});
