import { HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { key, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  // LangSmith tracing would send data when the environment enables it.
  process.env['LANGSMITH_TRACING'] = 'false';
  server = await startTestServer();
});
afterAll(() => server.stop());

const model = () =>
  new ChatOpenAI({
    model: 'simulator',
    apiKey: key,
    temperature: 0,
    useResponsesApi: false,
    configuration: { baseURL: `${server.url}/v1` },
  });

const requestedLocations: string[] = [];
const weather = tool(
  ({ location }) => {
    requestedLocations.push(location);
    return `It is 21 degrees and sunny in ${location}.`;
  },
  {
    name: 'get_weather',
    description: 'Get the weather for a location',
    schema: z.object({ location: z.string() }),
  },
);

test('a LangChain agent calls its tool and uses the result', async () => {
  const agent = createAgent({ model: model(), tools: [weather] });
  const { messages } = await agent.invoke({ messages: [new HumanMessage('What is the weather in Paris?')] });
  expect(requestedLocations).toEqual(['Paris']);
  expect(messages.map((message) => message.type)).toEqual(['human', 'ai', 'tool', 'ai']);
  expect(messages.at(-1)?.text).toContain('21 degrees');
});

test('LangChain streams text, with usage at the end', async () => {
  const pieces = await Array.fromAsync(await model().stream('Hello! What is 6 * 7?'));
  expect(pieces.length).toBeGreaterThan(3);
  expect(pieces.map(({ text }) => text).join('')).toContain('42');
  expect(pieces.find(({ usage_metadata }) => usage_metadata)?.usage_metadata?.output_tokens).toBeGreaterThan(3);
});

test('LangChain receives output that matches its schema', async () => {
  const city = z.object({ city: z.string(), people: z.number() });
  const answer = await model().withStructuredOutput(city, { strict: true }).invoke('How many people live in Lisbon?');
  expect(city.parse(answer)).toEqual(answer);
});
