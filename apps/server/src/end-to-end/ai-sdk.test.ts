import { createOpenAI } from '@ai-sdk/openai';
import { generateText, streamText, tool, ToolLoopAgent } from 'ai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { key, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const model = () => createOpenAI({ apiKey: key, baseURL: `${server.url}/v1` }).chat('simulator');
const prompt = 'Hello! What is 6 * 7?';

test("Vercel's AI SDK generates text with usage", async () => {
  const { text, usage, finishReason } = await generateText({ model: model(), prompt, temperature: 0 });
  expect(text).toContain('42');
  expect(finishReason).toBe('stop');
  expect(usage.outputTokens).toBeGreaterThan(3);
});

test("Vercel's AI SDK streams the same text", async () => {
  const { textStream, usage } = streamText({ model: model(), prompt, temperature: 0 });
  const pieces = await Array.fromAsync(textStream);
  expect(pieces.length).toBeGreaterThan(3);
  expect(pieces.join('')).toContain('42');
  expect((await usage).outputTokens).toBeGreaterThan(3);
});

test("an agent of Vercel's AI SDK calls tools in parallel and uses their results", async () => {
  const toolCalls: string[] = [];
  const recordCall = (what: string, of: string, answer: string) => {
    toolCalls.push(`${what} ${of}`);
    return answer;
  };
  const agent = new ToolLoopAgent({
    model: model(),
    temperature: 0,
    tools: {
      get_weather: tool({
        description: 'Get the weather for a location',
        inputSchema: z.object({ location: z.string() }),
        execute: ({ location }) => recordCall('weather', location, `21 degrees in ${location}`),
      }),
      get_time: tool({
        description: 'Tells the time in a city',
        inputSchema: z.object({ city: z.string() }),
        execute: ({ city }) => recordCall('time', city, `noon in ${city}`),
      }),
    },
  });
  const { text, steps } = await agent.generate({
    prompt: 'What is the weather in Paris, and what time is it in Tokyo?',
  });
  expect(toolCalls.toSorted()).toEqual(['time Tokyo', 'weather Paris']);
  expect(steps).toHaveLength(2);
  expect(text).toContain('21 degrees in Paris');
  expect(text).toContain('noon in Tokyo');
});
