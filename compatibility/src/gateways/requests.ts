import type { Client, Reply, StreamedReply } from './client.ts';
import { at, expect, listAt, textAt } from './read.ts';

/** A request, and what its reply has to be. */
export interface RequestCase {
  readonly title: string;
  /** @throws an error that says what is wrong with the reply. */
  run(client: Client, upstream: Upstream): Promise<void>;
}

export interface Upstream {
  kill(): void;
}

const chat = '/chat/completions';
const hello = {
  model: 'smol',
  messages: [{ role: 'user', content: 'Tell me about rivers.' }],
  max_tokens: 12,
  seed: 1,
};
const parameters = {
  type: 'object',
  properties: { city: { type: 'string', enum: ['Paris', 'Oslo'] }, days: { type: 'integer', minimum: 1, maximum: 9 } },
  required: ['city', 'days'],
  additionalProperties: false,
};
const weather = { type: 'function', function: { name: 'weather', description: 'Forecast for a city.', parameters } };
const time = { type: 'function', function: { name: 'time', parameters: { type: 'object', properties: {} } } };
const response_format = { type: 'json_schema', json_schema: { name: 'forecast', strict: true, schema: parameters } };

const content = ({ body }: Reply, choice = 0): string => textAt(body, 'choices', choice, 'message', 'content');
const finish = ({ body }: Reply, choice = 0): string => textAt(body, 'choices', choice, 'finish_reason');
const deltas = ({ events }: StreamedReply, ...path: (string | number)[]): string =>
  events.map((event) => textAt(event, 'choices', 0, 'delta', ...path)).join('');
const finishes = ({ events }: StreamedReply): readonly string[] =>
  events.map((event) => textAt(event, 'choices', 0, 'finish_reason')).filter((reason) => reason !== '');

async function good(client: Client, more: object = {}): Promise<Reply> {
  const reply = await client.post(chat, { ...hello, ...more });
  expect(reply.status === 200, `status ${reply.status}`);
  return reply;
}

function isForecast(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    const days = at(value, 'days');
    return ['Paris', 'Oslo'].includes(textAt(value, 'city')) && Number.isInteger(days) && Number(days) >= 1;
  } catch {
    return false;
  }
}

function expectRefusal({ status, body }: Reply, statuses: readonly number[], code?: string): void {
  expect(statuses.includes(status), `status ${status}`);
  expect(textAt(body, 'error', 'message') !== '', 'no error message');
  if (code !== undefined) expect(at(body, 'error', 'code') === code, `code ${String(at(body, 'error', 'code'))}`);
}

const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };

export const requestCases: readonly RequestCase[] = [
  {
    title: 'a reply has text, a finish reason and usage',
    async run(client) {
      const reply = await good(client);
      expect(content(reply) !== '' && finish(reply) === 'length', `finish_reason ${finish(reply)}`);
      expect(at(reply.body, 'usage', 'completion_tokens') === 12, 'wrong completion_tokens');
    },
  },
  {
    title: 'a stream has text, usage and `[DONE]`',
    async run(client) {
      const reply = await client.stream(chat, { ...hello, stream: true, stream_options: { include_usage: true } });
      expect(deltas(reply, 'content') !== '' && reply.isDone, 'no text or no [DONE]');
      expect(at(reply.events.at(-1), 'usage', 'completion_tokens') === 12, 'no usage in the last event');
    },
  },
  {
    title: '`stop` ends the reply before the sequence',
    async run(client) {
      const whole = content(await good(client, { temperature: 0 }));
      const [word = ''] = whole.split(' ').slice(4);
      const reply = await good(client, { temperature: 0, stop: [word] });
      expect(finish(reply) === 'stop' && !content(reply).includes(word), `finish_reason ${finish(reply)}`);
    },
  },
  {
    title: '`max_completion_tokens` limits the reply',
    async run(client) {
      const reply = await good(client, { max_tokens: undefined, max_completion_tokens: 5 });
      expect(at(reply.body, 'usage', 'completion_tokens') === 5, 'not 5 tokens');
    },
  },
  {
    title: '`logprobs` with two alternatives for each token',
    async run(client) {
      const reply = await good(client, { logprobs: true, top_logprobs: 2 });
      const tokens = listAt(reply.body, 'choices', 0, 'logprobs', 'content');
      expect(tokens.map((token) => textAt(token, 'token')).join('') === content(reply), 'other tokens than the text');
      expect(
        tokens.every((token) => listAt(token, 'top_logprobs').length === 2),
        'not 2 alternatives',
      );
    },
  },
  {
    title: 'the same `seed` gives the same text, another one another',
    async run(client) {
      const texts: string[] = [];
      for (const seed of [7, 7, 8]) texts.push(content(await good(client, { seed, max_tokens: 24 })));
      expect(texts[0] === texts[1] && texts[0] !== texts[2], 'the seed has no effect');
    },
  },
  {
    title: '`n: 2` gives two choices, and usage counts both',
    async run(client) {
      const reply = await good(client, { n: 2 });
      expect(listAt(reply.body, 'choices').length === 2, 'not 2 choices');
      const tokens = at(reply.body, 'usage', 'completion_tokens');
      expect(tokens === 24, `completion_tokens ${String(tokens)} instead of 24`);
    },
  },
  {
    title: 'a JSON schema is followed',
    async run(client) {
      const reply = await good(client, { response_format, max_tokens: 90 });
      expect(isForecast(content(reply)), 'not the schema');
    },
  },
  {
    title: 'a JSON schema is followed, streamed',
    async run(client) {
      const reply = await client.stream(chat, { ...hello, response_format, max_tokens: 90, stream: true });
      expect(isForecast(deltas(reply, 'content')), 'not the schema');
    },
  },
  {
    title: '`tool_choice: required` gives a tool call',
    async run(client) {
      const reply = await good(client, { tools: [weather], tool_choice: 'required', max_tokens: 80 });
      expect(finish(reply) === 'tool_calls', `finish_reason ${finish(reply)}`);
      const call = ['choices', 0, 'message', 'tool_calls', 0, 'function', 'arguments'];
      expect(isForecast(textAt(reply.body, ...call)), 'wrong arguments');
    },
  },
  {
    title: 'a named tool is called, streamed',
    async run(client) {
      const tool_choice = { type: 'function', function: { name: 'weather' } };
      const body = { ...hello, tools: [time, weather], tool_choice, max_tokens: 80, stream: true };
      const reply = await client.stream(chat, body);
      expect(finishes(reply).includes('tool_calls'), `finish_reason ${finishes(reply).join()}`);
      expect(isForecast(deltas(reply, 'tool_calls', 0, 'function', 'arguments')), 'wrong arguments');
    },
  },
  {
    title: '`tool_choice: none` gives text',
    async run(client) {
      const reply = await good(client, { tools: [weather], tool_choice: 'none' });
      expect(content(reply) !== '' && at(reply.body, 'choices', 0, 'message', 'tool_calls') == null, 'no text');
    },
  },
  {
    title: 'tools that the chat template drops are refused, not ignored',
    async run(client) {
      const reply = await client.post(chat, { ...hello, tools: [weather] });
      if (reply.status === 400) return;
      expect(reply.status === 200, `status ${reply.status}`);
      const tokens = (of: Reply): number => Number(at(of.body, 'usage', 'prompt_tokens'));
      expect(tokens(reply) > tokens(await good(client)), 'the tools are not in the prompt, without an error');
    },
  },
  {
    title: '`temperature: 3` is a 400',
    run: async (client) => expectRefusal(await client.post(chat, { ...hello, temperature: 3 }), [400]),
  },
  {
    title: 'images for a text model are a 400 each, and the next request succeeds',
    async run(client) {
      const messages = [{ role: 'user', content: [image] }];
      for (let count = 0; count < 6; count++) expectRefusal(await client.post(chat, { ...hello, messages }), [400]);
      await good(client);
    },
  },
  {
    title: 'a prompt beyond the context is a 400 `context_length_exceeded`',
    async run(client) {
      const messages = [{ role: 'user', content: 'river '.repeat(6000) }];
      expectRefusal(await client.post(chat, { ...hello, messages }), [400], 'context_length_exceeded');
    },
  },
  {
    title: 'an unknown model is a 404',
    run: async (client) => expectRefusal(await client.post(chat, { ...hello, model: 'no-such-model' }), [404]),
  },
  {
    title: 'legacy completions work',
    async run(client) {
      const body = { model: 'smol', prompt: 'Rivers are', max_tokens: 8 };
      const { status, body: reply } = await client.post('/completions', body);
      expect(status === 200 && textAt(reply, 'choices', 0, 'text') !== '', `status ${status}`);
    },
  },
  {
    title: 'responses work, streamed to `response.completed`',
    async run(client) {
      const body = { model: 'smol', input: 'Tell me about rivers.', max_output_tokens: 16, stream: true };
      const { status, events } = await client.stream('/responses', body);
      const types = events.map((event) => textAt(event, 'type'));
      expect(types.includes('response.output_text.delta'), `status ${status}, no text`);
      const end = types.at(-1) ?? '';
      expect(['response.completed', 'response.incomplete'].includes(end), `ends with ${end}`);
    },
  },
  {
    title: 'a stream whose upstream is killed does not look finished',
    async run(client, upstream) {
      const reply = await client.stream(chat, { ...hello, max_tokens: 2000, stream: true }, (count) => {
        if (count === 3) upstream.kill();
      });
      const errors = reply.events.filter((event) => at(event, 'error') !== undefined);
      const looksFinished = reply.isDone || finishes(reply).length > 0;
      expect(errors.length > 0 || (reply.broken !== undefined && !looksFinished), 'it ends like a finished reply');
    },
  },
];
