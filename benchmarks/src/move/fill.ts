import { join } from 'node:path';
import { openSqliteStores } from '@modelwire/store-sqlite';
import OpenAI, { toFile } from 'openai';
import { concurrently, range } from '../concurrently.ts';
import { recordOf } from '../store/records.ts';

export const apiKey = 'benchmark-key-0123456789';

export interface OpenWork {
  readonly batches: readonly string[];
  readonly uploads: readonly { readonly id: string; readonly part: string }[];
}

export interface FillOptions {
  /** The data folder of the server. */
  readonly data: string;
  readonly completions: number;
  readonly files: number;
}

const linesPerBatch = 5000;
const openBatches = 3;
const openUploads = 20;

/** Resolves once batches run. */
export async function fill(url: string, { data, completions, files }: FillOptions): Promise<OpenWork> {
  const client = new OpenAI({ apiKey, baseURL: `${url}/v1` });
  const stores = await openSqliteStores({ path: join(data, 'modelwire.sqlite') });
  const project = stores.project('default');
  const created = Math.floor(Date.now() / 1000);
  await concurrently(range(0, completions), 200, (index) => {
    const { completion, messages } = recordOf(index);
    // Recent: the server removes completions after 30 days.
    return project.completions.append({ completion: { ...completion, created }, messages });
  });
  await stores.close();
  await concurrently(range(0, files), 8, async (index) => {
    const content = Buffer.from(`file ${index} `.repeat(50 + (index % 100)));
    await client.files.create({ file: await toFile(content, `${index}.txt`), purpose: 'user_data' });
  });
  const uploads: { readonly id: string; readonly part: string }[] = [];
  for (let index = 0; index < openUploads; index++) {
    const init = { filename: `${index}.txt`, bytes: 8, mime_type: 'text/plain', purpose: 'user_data' } as const;
    const { id } = await client.uploads.create(init);
    const part = await client.uploads.parts.create(id, { data: await toFile(Buffer.from('one '), 'part') });
    uploads.push({ id, part: part.id });
  }
  const batches: string[] = [];
  for (let index = 0; index < openBatches; index++) batches.push(await createBatch(client, index));
  for (const id of batches) while (((await client.batches.retrieve(id)).request_counts?.completed ?? 0) === 0);
  return { batches, uploads };
}

async function createBatch(client: OpenAI, batch: number): Promise<string> {
  const endpoint = '/v1/chat/completions';
  const lines = Array.from({ length: linesPerBatch }, (_, line) => {
    const messages = [{ role: 'user', content: `Line ${line} of batch ${batch}` }];
    const body = { model: 'simulator', messages };
    return `${JSON.stringify({ custom_id: `${batch}-${line}`, method: 'POST', url: endpoint, body })}\n`;
  });
  const input = await client.files.create({
    file: await toFile(Buffer.from(lines.join('')), 'in.jsonl'),
    purpose: 'batch',
  });
  return (await client.batches.create({ input_file_id: input.id, endpoint, completion_window: '24h' })).id;
}
