import type OpenAI from 'openai';
import { toFile } from 'openai';
import { expect } from 'vitest';

/** The error of a write for which there is no space. */
export const full = { status: 507, code: 'insufficient_storage', type: 'server_error', param: null };
export const declared = { filename: 'a.bin', mime_type: 'application/octet-stream', purpose: 'user_data' } as const;
export const file = (bytes: Uint8Array) => toFile(bytes, 'a.bin');

export async function contentOf(client: OpenAI, id: string | undefined): Promise<Buffer> {
  return Buffer.from(await (await client.files.content(id ?? '')).arrayBuffer());
}

/** Waits until a batch is completed. */
export async function waitForCompletion(client: OpenAI, id: string): Promise<OpenAI.Batch> {
  await expect
    .poll(async () => (await client.batches.retrieve(id)).status, { timeout: 60_000, interval: 50 })
    .toBe('completed');
  return client.batches.retrieve(id);
}
