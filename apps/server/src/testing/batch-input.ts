import type OpenAI from 'openai';
import { toFile } from 'openai';

export const endpoint = '/v1/chat/completions';

export interface OutputLine {
  readonly id: string;
  readonly custom_id: string;
  readonly response: { readonly status_code: number; readonly body: OpenAI.ChatCompletion } | null;
  readonly error: { readonly code: string } | null;
}

/** Creates one line of an input file; the prompt contains its custom_id. */
export function inputLine(custom_id: string, body: object = {}): object {
  const messages = [{ role: 'user', content: `Repeat: ${custom_id}` }];
  return { custom_id, method: 'POST', url: endpoint, body: { model: 'simulator', temperature: 0, messages, ...body } };
}

export async function upload(client: OpenAI, lines: readonly object[]): Promise<string> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return (await client.files.create({ file: await toFile(Buffer.from(text), 'in.jsonl'), purpose: 'batch' })).id;
}

export async function createBatch(
  client: OpenAI,
  lines: readonly object[],
  at: OpenAI.BatchCreateParams['endpoint'] = endpoint,
): Promise<OpenAI.Batch> {
  const input_file_id = await upload(client, lines);
  return client.batches.create({ input_file_id, endpoint: at, completion_window: '24h' });
}

export async function linesOf(client: OpenAI, file: string | null | undefined): Promise<OutputLine[]> {
  if (!file) return [];
  const text = await (await client.files.content(file)).text();
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as OutputLine);
}
