import { createServer } from '@modelwire/server';
import { approximately } from '@modelwire/vitest/approximately';
import { expect, onTestFinished, test } from 'vitest';
import { createLlama } from './llama.ts';
import { tinyFile } from './testing/serve-tiny.ts';

test('continues a text without the chat template', async () => {
  const file = await tinyFile();
  const engine = await createLlama({ path: file.path, gpu: false, threads: 1, contextSize: 128 });
  const server = createServer({ engines: [engine], keys: 'open' });
  onTestFinished(async () => {
    await server.close();
    await file.remove();
  });
  const post = async (body: object) => {
    const response = await server.fetch(
      new Request('http://localhost/v1/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'tiny', temperature: 0, seed: 1, ...body }),
      }),
    );
    return { status: response.status, ...((await response.json()) as object) };
  };
  const reply = await post({ prompt: 'The river', logprobs: 2 });
  expect(reply).toMatchObject({ status: 200, choices: [{ index: 0 }], usage: { completion_tokens: 16 } });
  // Three tokens or fewer: the template would add those around a message.
  const { usage } = reply as unknown as { readonly usage: { readonly prompt_tokens: number } };
  expect(usage.prompt_tokens).toBeLessThanOrEqual(6);
  // Now the prompt is cached, and only its last token is evaluated: by other instructions of the processor, which round differently.
  expect(await post({ prompt: 'The river', logprobs: 2 })).toMatchObject({
    choices: approximately((reply as unknown as { readonly choices: unknown }).choices),
  });
  expect(await post({ prompt: 'x '.repeat(500) })).toMatchObject({
    status: 400,
    error: { param: 'prompt', code: 'context_length_exceeded' },
  });
});
