import { json, startRecordingServer } from '@modelwire/core/testing';
import { expect, test } from 'vitest';
import { Modelwire } from './index.ts';

test.each(['processed', 'error'])('waitForProcessing() polls until a file is %s', async (end) => {
  const { baseURL, recorded } = await startRecordingServer((response, _, count) =>
    json(response, { id: 'file-1', status: count < 3 ? 'uploaded' : end }),
  );
  const client = new Modelwire({ baseURL });
  expect(await client.files.waitForProcessing('file-1', { pollMs: 1 })).toEqual({ id: 'file-1', status: end });
  expect(recorded.map(({ path }) => path)).toEqual(['/files/file-1', '/files/file-1', '/files/file-1']);
});
