import type OpenAI from 'openai';
import { expect, onTestFinished, test } from 'vitest';
import type { Config } from '../config/schema.ts';
import { key, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

/** Their keys divide evenly between the two upstreams, so that no upstream exceeds its share. */
const users = Array.from({ length: 16 }, (_, index) => `caller ${index + 1}`);
const turns = 8;

/** A server in front of two servers, `a` and `b`, with the model `simulator`. */
async function startWithTwoUpstreams(config: Config = {}) {
  const [a, b] = await Promise.all([startTestServer(), startTestServer()]);
  const upstreams = Object.entries({ a, b }).map(([name, { url }]) => ({ name, baseURL: `${url}/v1`, apiKey: key }));
  const server = await startTestServer({ upstreams, ...config });
  const running = new Set<TestServer>([server, a, b]);
  const stop = async (one: TestServer): Promise<void> => {
    running.delete(one);
    await one.stop();
  };
  onTestFinished(async () => {
    await Promise.all([...running].map(stop));
  });
  return { server, client: server.client, stopA: () => stop(a) };
}

type Reply = { readonly response: Response };
const upstreamOf = ({ response }: Reply): string => response.headers.get('x-modelwire-upstream') ?? '';

/** Sends the turns of a conversation, and returns the upstreams of all turns. */
type Talk = (client: OpenAI, user: string) => Promise<readonly string[]>;

const chat: Talk = async (client, user) => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'system', content: 'You are brief.' }];
  const upstreams: string[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    messages.push({ role: 'user', content: `I am ${user}, turn ${turn}.` });
    const reply = await client.chat.completions.create({ model: 'simulator', messages, max_tokens: 8 }).withResponse();
    messages.push({ role: 'assistant', content: reply.data.choices[0]?.message.content ?? '' });
    upstreams.push(upstreamOf(reply));
  }
  return upstreams;
};

const chain: Talk = async (client, user) => {
  const upstreams: string[] = [];
  let previous_response_id: string | null = null;
  for (let turn = 1; turn <= turns; turn++) {
    const input = `I am ${user}, turn ${turn}.`;
    const reply = await client.responses.create({ model: 'simulator', input, previous_response_id }).withResponse();
    previous_response_id = reply.data.id;
    upstreams.push(upstreamOf(reply));
  }
  return upstreams;
};

const conversation: Talk = async (client) => {
  const { id } = await client.conversations.create();
  const upstreams: string[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    const body = { model: 'simulator', input: `Turn ${turn}.`, instructions: `It is ${turn}.`, conversation: id };
    upstreams.push(upstreamOf(await client.responses.create(body).withResponse()));
  }
  return upstreams;
};

const keyed: Talk = async (client, user) => {
  const upstreams: string[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    const messages = [{ role: 'user' as const, content: `Unrelated question ${turn}` }];
    const body = { model: 'simulator', messages, prompt_cache_key: user, max_tokens: 8 };
    upstreams.push(upstreamOf(await client.chat.completions.create(body).withResponse()));
  }
  return upstreams;
};

test.each<{ name: string; talk: Talk; config?: Config }>([
  { name: 'chat completions with their messages', talk: chat },
  { name: 'responses that continue a chain', talk: chain },
  // Their IDs are random: all of them may belong to one upstream, which would exceed its share with the default.
  { name: 'responses of a conversation', talk: conversation, config: { routing: { minimumInFlight: 16 } } },
  { name: 'requests with a prompt_cache_key', talk: keyed },
])('of 16 concurrent users with $name, at least 95 % of turns stay on their upstream', async ({ talk, config }) => {
  const { client } = await startWithTwoUpstreams(config);
  const conversations = await Promise.all(users.map((user) => talk(client, user)));
  const later = conversations.flatMap((upstreams) => upstreams.slice(1).map((name, turn) => name === upstreams[turn]));
  expect(later).toHaveLength(users.length * (turns - 1));
  expect(later.filter(Boolean).length / later.length).toBeGreaterThanOrEqual(0.95);
  expect(new Set(conversations.flat())).toEqual(new Set(['a', 'b']));
});

test('when an upstream is killed, only its keys move', async () => {
  const { client, stopA } = await startWithTwoUpstreams({ routing: { minimumInFlight: 100 } });
  const before = await Promise.all(users.map((user) => keyed(client, user)));
  await stopA();
  const after = await Promise.all(users.map((user) => keyed(client, user)));
  expect(new Set(before.flat())).toEqual(new Set(['a', 'b']));
  expect(after.flat()).toEqual(Array.from({ length: users.length * turns }, () => 'b'));
});

test('the hit rate of the cache of each upstream is a metric', async () => {
  const { server, client } = await startWithTwoUpstreams();
  const messages = [{ role: 'user' as const, content: 'A prompt with many words. '.repeat(500) }];
  for (let index = 0; index < 2; index++) {
    await client.chat.completions.create({ model: 'simulator', messages, max_tokens: 8 });
  }
  const lines = (await (await fetch(`${server.url}/metrics`)).text()).split('\n');
  const [all = 0, cached = 0] = ['all', 'cached'].map((type) => {
    const line = lines.find((text) => text.startsWith('modelwire_upstream_prompt_tokens_total') && text.includes(type));
    return Number(line?.split(' ').at(-1));
  });
  expect(cached / all).toBeGreaterThan(0.4);
  expect(cached / all).toBeLessThan(0.5);
});
