import { createOpenAI } from '@ai-sdk/openai';
import { generateText, streamText } from 'ai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { key, serve } from './testing/serve.ts';
import type { Served } from './testing/serve.ts';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.stop());

const model = () => createOpenAI({ apiKey: key, baseURL: `${served.url}/v1` }).chat('simulator');
const prompt = 'Hello! What is 6 * 7?';

test("Vercel's AI SDK generates text with usage", async () => {
  const { text, usage, finishReason } = await generateText({ model: model(), prompt, temperature: 0 });
  expect(text).toContain('42');
  expect(finishReason).toBe('stop');
  expect(usage.outputTokens).toBeGreaterThan(3);
});

test("Vercel's AI SDK streams the same text piece by piece", async () => {
  const { textStream, usage } = streamText({ model: model(), prompt, temperature: 0 });
  const pieces = await Array.fromAsync(textStream);
  expect(pieces.length).toBeGreaterThan(3);
  expect(pieces.join('')).toContain('42');
  expect((await usage).outputTokens).toBeGreaterThan(3);
});
