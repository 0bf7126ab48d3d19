import { collect, json, startRecordingServer } from '@modelwire/core/testing';
import type { RecordingServer, Respond } from '@modelwire/core/testing';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { AbortError, BatchFailedError, createBatches } from './index.ts';
import type { BatchResponseBody, BatchesClient, BatchRequest, BatchResult } from './index.ts';

const endpoint = '/v1/moderations';
const requests: BatchRequest<typeof endpoint>[] = [
  { custom_id: 'a', body: { input: 'one' } },
  { custom_id: 'b', body: { input: 'two' } },
];
const batch = { id: 'batch_1', object: 'batch', status: 'validating' };
const line = {
  id: 'r',
  custom_id: 'a',
  response: { status_code: 200, request_id: 'q', body: { id: 'modr-1' } },
  error: null,
};

/** A server that accepts a batch and ends it at the second retrieval with the given status. */
async function serve(
  end: object,
  upload: Respond = (response) => json(response, { id: 'file-in' }),
): Promise<RecordingServer & { batches: BatchesClient }> {
  let looks = 0;
  const server = await startRecordingServer((response, request, count) => {
    const { method, path } = request;
    if (path === '/files') upload(response, request, count);
    else if (path.startsWith('/files/')) response.end(JSON.stringify(line));
    else if (method === 'GET') json(response, { ...batch, status: 'in_progress', ...(++looks > 1 && end) });
    else json(response, batch);
  });
  return { ...server, batches: createBatches({ baseURL: server.baseURL, backoff: () => 0 }) };
}

describe('run()', () => {
  test('sends a file, creates a batch, waits, and yields the results', async () => {
    const { batches, recorded } = await serve({ status: 'completed', output_file_id: 'file-out' });
    const seen: string[] = [];
    const running = batches.run({
      endpoint,
      requests,
      metadata: { run: '1' },
      pollMs: 1,
      onUpdate: ({ status }) => seen.push(status),
    });
    expect(recorded).toEqual([]);
    const results = await collect(running);
    expectTypeOf(results).toEqualTypeOf<BatchResult<typeof endpoint>[]>();
    expectTypeOf<BatchResponseBody<typeof endpoint>['results']>().not.toBeAny();
    expect(results).toEqual([{ ok: true, custom_id: 'a', status: 200, body: { id: 'modr-1' }, line }]);
    expect(seen).toEqual(['validating', 'in_progress', 'completed']);
    expect(recorded[0]?.fields).toEqual({ purpose: 'batch' });
    const { filename, type, bytes } = recorded[0]!.files['file']!;
    expect([filename, type]).toEqual(['batch.jsonl', 'application/jsonl']);
    expect(bytes.toString()).toBe(
      '{"custom_id":"a","method":"POST","url":"/v1/moderations","body":{"input":"one"}}\n' +
        '{"custom_id":"b","method":"POST","url":"/v1/moderations","body":{"input":"two"}}\n',
    );
    expect(recorded[1]?.json).toEqual({
      input_file_id: 'file-in',
      endpoint,
      completion_window: '24h',
      metadata: { run: '1' },
    });
  });

  test('sends the requests of an array again when the upload is retried', async () => {
    const { batches, recorded } = await serve({ status: 'completed' }, (response, _, count) =>
      json(response, { id: 'file-in' }, count === 1 ? 503 : 200),
    );
    await collect(batches.run({ endpoint, requests, pollMs: 1 }));
    const [first, second] = recorded.map(({ files }) => files['file']?.bytes.toString());
    expect(second).toBe(first);
  });

  test('accepts requests from an async iterable', async () => {
    const { batches, recorded } = await serve({ status: 'completed' });
    async function* source(): AsyncGenerator<BatchRequest<typeof endpoint>> {
      yield* requests;
    }
    await collect(batches.run({ endpoint, requests: source(), pollMs: 1 }));
    expect(recorded[0]?.files['file']?.bytes.toString().split('\n')).toHaveLength(3);
  });

  test('rejects invalid input, however fetch reports it, and creates no batch', async () => {
    const { batches, recorded } = await serve({ status: 'completed' });
    const twice = collect(batches.run({ endpoint, requests: [...requests, requests[0]!], pollMs: 1 }));
    await expect(twice).rejects.toMatchObject({ name: 'InputError', param: 'requests[2].custom_id' });
    expect(recorded).toEqual([]);
  });

  test('throws a BatchFailedError with the errors of the server', async () => {
    const errors = {
      data: [
        { line: 2, message: 'Bad model', code: 'model_not_found' },
        { line: 3, message: 'x' },
      ],
    };
    const { batches } = await serve({ status: 'failed', errors });
    const failure = collect(batches.run({ endpoint, requests, pollMs: 1 }));
    await expect(failure).rejects.toBeInstanceOf(BatchFailedError);
    await expect(failure).rejects.toMatchObject({
      message: 'The batch batch_1 failed: Bad model (line 2). And 1 more.',
      code: 'model_not_found',
      batch: { status: 'failed', errors },
    });
  });

  test.each([true, false])(
    'with cancelOnAbort %s, aborting the signal leaves the batch in the expected state',
    async (cancelOnAbort) => {
      const { batches, recorded } = await serve({});
      const controller = new AbortController();
      const running = batches.run({
        endpoint,
        requests,
        pollMs: 60_000,
        cancelOnAbort,
        signal: controller.signal,
        onUpdate: ({ status }) => {
          if (status === 'in_progress') setTimeout(() => controller.abort(), 1);
        },
      });
      await expect(collect(running)).rejects.toBeInstanceOf(AbortError);
      expect(recorded.some(({ path }) => path === '/batches/batch_1/cancel')).toBe(cancelOnAbort);
    },
  );
});
