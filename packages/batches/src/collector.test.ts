import { json, serveClient } from '@modelwire/core/testing';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { AbortError, BatchFailedError, createBatches, RateLimitError } from './index.ts';
import type { CollectOptions } from './index.ts';
import type { ChatCompletion } from '@modelwire/schema/types';

interface Line {
  readonly custom_id: string;
  readonly body: { readonly model: string; readonly messages: readonly { readonly content: string }[] };
}

/** A server that answers each line with its text, in reverse order. A text "limited" is refused, and "lost" has no line. */
async function serve(options: CollectOptions, batch: object = { status: 'completed', output_file_id: 'out' }) {
  const inputs: Line[][] = [];
  const { client, recorded } = await serveClient(createBatches, (response, { method, path, files, json: body }) => {
    if (method === 'POST' && path === '/files') {
      const lines = String(files['file']?.bytes).trim().split('\n');
      inputs.push(lines.map((line) => JSON.parse(line) as Line));
      json(response, { id: `file-${inputs.length}` });
    } else if (path === '/batches') {
      const { input_file_id } = body as { readonly input_file_id: string };
      json(response, { id: input_file_id.replace('file-', 'batch_'), status: 'validating' });
    } else if (path.startsWith('/batches/')) {
      json(response, { id: path.slice(9), ...batch, output_file_id: path.replace('/batches/batch_', '') });
    } else {
      const lines = inputs[Number(path.split('/')[2]) - 1] ?? [];
      response.end(lines.toReversed().map(replyTo).join('\n'));
    }
  });
  return { collector: client.collect({ pollMs: 1, ...options }), inputs, recorded };
}

function replyTo({ custom_id, body }: Line): string {
  const text = body.messages[0]?.content;
  if (text === 'lost') return '';
  const error = { message: 'Too many.', type: 'requests', param: null, code: 'rate_limit_exceeded' };
  const response =
    text === 'limited' ? { status_code: 429, body: { error } } : { status_code: 200, body: { id: `reply to ${text}` } };
  return JSON.stringify({ custom_id, response, error: null });
}

const ask = (content: string, model = 'small') => ({ model, messages: [{ role: 'user' as const, content }] });
const long = 60_000;

describe('collect()', () => {
  test('sends the requests that fill a batch together, and resolves each with its own response', async () => {
    const { collector, inputs } = await serve({ maxSize: 2, maxWaitMs: long });
    const replies = await Promise.all(['a', 'b', 'c', 'd'].map((text) => collector.create(ask(text))));
    expectTypeOf(replies).toEqualTypeOf<ChatCompletion[]>();
    expect(replies.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'].map((text) => `reply to ${text}`));
    expect(inputs.map((lines) => lines.map(({ body }) => body.messages[0]?.content))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  test('sends a batch when its first request has waited for `maxWaitMs`, or when it is flushed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { collector, inputs } = await serve({ maxWaitMs: 500, pollMs: 0 });
    const first = collector.create(ask('a'));
    vi.advanceTimersByTime(499);
    const second = collector.create(ask('b'));
    expect(inputs).toEqual([]);
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    await Promise.all([first, second]);
    expect(inputs.map(({ length }) => length)).toEqual([2]);
    const third = collector.create(ask('c'));
    collector.flush();
    expect(await third).toEqual({ id: 'reply to c' });
  });

  test('makes a batch for each model', async () => {
    const { collector, inputs } = await serve({ maxSize: 2, maxWaitMs: long });
    await Promise.all(
      [ask('a', 'x'), ask('b', 'y'), ask('c', 'x'), ask('d', 'y')].map((body) => collector.create(body)),
    );
    const models = inputs.map((lines) => lines.map(({ body }) => body.model)).sort();
    expect(models).toEqual([
      ['x', 'x'],
      ['y', 'y'],
    ]);
  });

  test('rejects a request with its own error', async () => {
    const { collector } = await serve({ maxSize: 3 });
    const [good, limited, lost] = await Promise.allSettled(
      ['a', 'limited', 'lost'].map((text) => collector.create(ask(text))),
    );
    expect(good).toEqual({ status: 'fulfilled', value: { id: 'reply to a' } });
    expect(limited).toMatchObject({ reason: { status: 429, code: 'rate_limit_exceeded', message: 'Too many.' } });
    expect(limited).toHaveProperty('reason', expect.any(RateLimitError));
    expect(lost).toMatchObject({
      reason: { name: 'ModelwireError', message: expect.stringContaining('no line') as string },
    });
  });

  test('rejects all requests of a batch that failed', async () => {
    const { collector } = await serve({ maxSize: 2 }, { status: 'failed' });
    const ended = await Promise.allSettled([collector.create(ask('a')), collector.create(ask('b'))]);
    for (const each of ended) expect(each).toHaveProperty('reason', expect.any(BatchFailedError));
  });

  test('does not send a request that is aborted while it waits', async () => {
    const { collector, inputs } = await serve({ maxWaitMs: long });
    const abort = new AbortController();
    const first = collector.create(ask('a'), { signal: abort.signal });
    const second = collector.create(ask('b'), abort);
    abort.abort(new Error('changed my mind'));
    await expect(first).rejects.toMatchObject({ name: 'AbortError', cause: { message: 'changed my mind' } });
    await expect(second).rejects.toThrow(AbortError);
    await expect(collector.create(ask('c'), abort)).rejects.toThrow(AbortError);
    collector.flush();
    const other = collector.create(ask('d'));
    collector.flush();
    await other;
    expect(inputs.map((lines) => lines.map(({ body }) => body.messages[0]?.content))).toEqual([['d']]);
  });

  test('only rejects a request that is aborted after it was sent', async () => {
    const { collector, inputs } = await serve({ maxSize: 2 });
    const abort = new AbortController();
    const both = [collector.create(ask('a'), abort), collector.create(ask('b'))];
    abort.abort();
    await expect(both[0]).rejects.toThrow(AbortError);
    expect(await both[1]).toEqual({ id: 'reply to b' });
    expect(inputs[0]).toHaveLength(2);
  });

  test('sends the parameters as they were', async () => {
    const { collector } = await serve({ maxWaitMs: long });
    const params = ask('before');
    const reply = collector.create(params);
    params.messages[0] = { role: 'user', content: 'after' };
    collector.flush();
    expect(await reply).toEqual({ id: 'reply to before' });
  });

  test('rejects a request that cannot be part of a batch, without the others', async () => {
    const { collector } = await serve({ maxWaitMs: long });
    const streamed = { ...ask('a'), stream: true } as never;
    await expect(collector.create(streamed)).rejects.toMatchObject({ name: 'InputError', param: 'stream' });
    const other = collector.create(ask('b'));
    collector.flush();
    expect(await other).toEqual({ id: 'reply to b' });
  });

  test.each([0, 1.5, 50_001, Number.NaN])('rejects a maxSize of %s', (maxSize) => {
    expect(() => createBatches().collect({ maxSize })).toThrow('maxSize must be an integer from 1 to 50000');
  });
});
