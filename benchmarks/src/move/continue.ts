import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI, { toFile } from 'openai';
import { apiKey } from './fill.ts';
import type { OpenWork } from './fill.ts';

/** Completes the open uploads, waits for the batches, and counts the stored objects. */
export async function continueMoved(url: string, { batches, uploads }: OpenWork): Promise<string> {
  const client = new OpenAI({ apiKey, baseURL: `${url}/v1` });
  let completedUploads = 0;
  for (const { id, part } of uploads) {
    const last = await client.uploads.parts.create(id, { data: await toFile(Buffer.from('more'), 'part') });
    const { file } = await client.uploads.complete(id, { part_ids: [part, last.id] });
    if (file && (await (await client.files.content(file.id)).text()) === 'one more') completedUploads++;
  }
  let lines = 0;
  for (const id of batches) {
    let batch = await client.batches.retrieve(id);
    while (batch.status !== 'completed') {
      if (['failed', 'expired', 'cancelled'].includes(batch.status)) throw new Error(`${id} is ${batch.status}`);
      await sleep(200);
      batch = await client.batches.retrieve(id);
    }
    const { body } = await client.files.content(batch.output_file_id ?? '');
    const ids = (body ? await text(body) : '').split('\n').slice(0, -1);
    lines += new Set(ids.map((line) => (JSON.parse(line) as { custom_id: string }).custom_id)).size;
  }
  return `${completedUploads} uploads and ${batches.length} batches completed, with ${lines} lines`;
}
