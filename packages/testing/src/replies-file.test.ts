import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { expect, onTestFinished, test } from 'vitest';
import { serveReplies } from './index.ts';
import { parseReplies } from './replies-file.ts';

const wrong = `
replies:
  - when: { mesage: weather, turn: 0 }
    reply: Sunny.
  - reply: { text: 'Hello {{nme}}', pace: fast }
  - when: { model: '/(/' }
    sequence: []
videos:
  - reply: { failure: { why: x } }
`;

test('reports all problems of a file with their lines', () => {
  expect(() => parseReplies(wrong, 'replies.yaml')).toThrow(
    [
      '6 problems:',
      '  replies.yaml:3:13: replies[0].when.mesage: unknown field',
      '  replies.yaml:3:30: replies[0].when.turn: Too small: expected number to be >=1',
      '  replies.yaml:5:37: replies[1].reply.pace: Invalid input: expected object, received string',
      '  replies.yaml:6:13: replies[2].when.model: Invalid regular expression: /(/: Unterminated group',
      '  replies.yaml:7:5: replies[2].sequence: Too small: expected array to have >=1 items',
      '  replies.yaml:9:25: videos[0].reply.failure.why: unknown field',
    ].join('\n'),
  );
});

test('rejects invalid YAML, files without an object, and unknown templates, with the line', () => {
  expect(() => parseReplies('replies: [', 'r.yaml')).toThrow(/^r.yaml:1:11: /);
  expect(() => parseReplies('- a', 'r.yaml')).toThrow("r.yaml: expected an object with fields such as 'replies'");
  expect(() => parseReplies('replies:\n  - reply: { text: "{{nme}}" }', 'r.yaml')).toThrow(
    'r.yaml:2:5: replies[0].reply: unknown template {{nme}}',
  );
});

test('serves a file of replies to any client', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-replies-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const repliesFile = join(folder, 'replies.yaml');
  await writeFile(
    repliesFile,
    `replies:
  - when: { message: '/weather in (?<city>\\w+)/i' }
    reply: 'Sunny in {{match.city}}.'
  - when: { tool: add, toolResult: false }
    reply: { toolCalls: [{ name: add, arguments: { a: 1, b: 2 } }] }
  - reply: 'You said {{lastMessage}}'
`,
  );
  await using server = await serveReplies({ repliesFile });
  const client = new OpenAI({ baseURL: server.baseURL, apiKey: server.apiKey });
  const ask = async (content: string, tools: OpenAI.ChatCompletionTool[] = []) => {
    const messages = [{ role: 'user' as const, content }];
    const { choices } = await client.chat.completions.create({
      model: 'm',
      messages,
      ...(tools.length > 0 && { tools }),
    });
    return choices[0]?.message;
  };
  expect((await ask('The weather in Paris?'))?.content).toBe('Sunny in Paris.');
  expect((await ask('Hello'))?.content).toBe('You said Hello');
  const called = await ask('add', [{ type: 'function', function: { name: 'add', parameters: { type: 'object' } } }]);
  expect(called?.tool_calls).toMatchObject([
    { type: 'function', function: { name: 'add', arguments: '{"a":1,"b":2}' } },
  ]);
});
