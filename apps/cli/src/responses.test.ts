import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from './exit-codes.ts';
import { folder, lines, runCommand } from './testing/fake-terminal.ts';
import type { FakeOptions, CommandResult } from './testing/fake-terminal.ts';
import { serve } from './testing/server.ts';
import type { Served } from './testing/server.ts';

let server: Served;
beforeAll(async () => (server = await serve()));
afterAll(() => server.stop());

const run = (words: readonly string[], options: FakeOptions = {}): Promise<CommandResult> =>
  runCommand(words, { ...options, env: { ...server.env, ...options.env } });

async function succeed(words: readonly string[], options: FakeOptions = {}): Promise<CommandResult> {
  const result = await run(words, options);
  expect([result.code, result.err]).toEqual([EXIT.ok, expect.any(String)]);
  return result;
}

/** The value that the command prints with `--json`. */
async function one(words: readonly string[], options: FakeOptions = {}): Promise<Record<string, unknown>> {
  const [value] = lines((await succeed([...words, '--json'], options)).out);
  return value as Record<string, unknown>;
}

const create = ['responses', 'create', '-t', '0'] as const;

describe('responses', () => {
  test('are streamed, continued, shown with their input, and deleted', async () => {
    const { out, err } = await succeed([...create, 'What is 6 * 7?']);
    expect(out).toMatch(/42.*\n$/);
    const id = /--previous (resp_\w+)/.exec(err)?.[1] ?? '';
    const next = await one([...create, '--previous', id, '--instructions', 'Be brief.', '--metadata', 'topic=sums', 'And 6 * 8?']); // prettier-ignore
    expect(next).toMatchObject({
      ...{ object: 'response', status: 'completed', previous_response_id: id },
      ...{ instructions: 'Be brief.', metadata: { topic: 'sums' } },
    });
    expect((await succeed(['responses', 'get', String(next['id'])])).out).toMatch(new RegExp(`continues\\t${id}`));
    expect((await succeed(['responses', 'items', String(next['id'])])).out).toMatch(/message\tuser\tAnd 6 \* 8\?/);
    expect(await one(['responses', 'delete', id])).toMatchObject({ id, deleted: true });
    expect((await run(['responses', 'get', id])).code).toBe(EXIT.notFound);
  });

  test('without the stream, with --no-store and a prompt from stdin', async () => {
    const words = ['responses', 'create', '--no-stream', '--no-store', '-t', '0'];
    const { out, err } = await succeed(words, { stdin: 'What is 6 * 7?\n' });
    expect(out).toContain('42');
    expect(err).not.toContain('--previous');
  });

  test('match a schema, and print their events as lines of JSON', async () => {
    const schema =
      '{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}';
    expect(JSON.parse((await succeed([...create, '--schema', schema, 'A number'])).out)).toEqual({
      n: expect.any(Number) as number,
    });
    const types = lines((await succeed([...create, '--events', 'Hello'])).out).map((event) => (event as { type: string }).type); // prettier-ignore
    expect([types[0], types.at(-1)]).toEqual(['response.created', 'response.completed']);
  });

  test('send files and images as parts of one message', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'notes.txt'), 'rivers');
    writeFileSync(join(cwd, 'a.pdf'), '%PDF-1.4\0');
    const { id } = await one([...create, '--file', 'notes.txt', '--image', pixel, 'What is this?'], { cwd });
    const [item] = lines((await succeed(['responses', 'items', String(id), '--json'])).out);
    expect(item).toMatchObject({
      role: 'user',
      content: [
        { type: 'input_text', text: expect.stringContaining('rivers') as string },
        { type: 'input_image', image_url: pixel },
        { type: 'input_text', text: 'What is this?' },
      ],
    });
  });

  test('run in the background until they are completed or cancelled', async () => {
    const created = await one([...create, '--background', 'What is 6 * 7?']);
    expect(created).toMatchObject({ status: 'queued', background: true });
    const { out } = await succeed(['responses', 'wait', String(created['id']), '--poll', '0.05']);
    expect(out).toContain('42');
    expect(await one(['responses', 'cancel', String(created['id'])])).toMatchObject({ status: 'completed' });
  });

  test('truncated by --max-tokens are no failure', async () => {
    const { err } = await succeed([...create, '--max-tokens', '16', 'Tell me at length about rivers.']);
    expect(err).toContain('reached the limit of 16 tokens');
  });

  test.each([
    [['--previous', 'resp_1', '--conversation', 'conv_1', 'Hi'], '--previous and --conversation cannot be combined'],
    [['--events', '--background', 'Hi'], '--events cannot be combined'],
    [[], 'Missing prompt'],
  ])('reject %j', async (words, message) => {
    const { code, err } = await run(['responses', 'create', ...words]);
    expect([code, err]).toEqual([EXIT.usage, expect.stringContaining(message)]);
  });

  test('name the response that does not exist', async () => {
    const { code, err } = await run([...create, '--previous', 'resp_none', 'Hi']);
    expect(code).not.toBe(EXIT.ok);
    expect(err).toContain('resp_none');
  });
});

describe('embeddings', () => {
  const embed = ['embeddings', '--model', 'simulator-embedding', '--dimensions', '8'] as const;

  test('prints one vector for each text', async () => {
    const values = lines((await succeed([...embed, '--json', 'rivers', 'bread'])).out);
    expect(values).toMatchObject([{ input: 'rivers' }, { input: 'bread' }]);
    for (const value of values) expect((value as { embedding: unknown }).embedding).toHaveLength(8);
    expect((await succeed([...embed, 'rivers'])).out).toMatch(/^8\t-?\d\.\d{4} .* …\trivers\n$/);
  });

  test('embeds each line of stdin, or the whole of it', async () => {
    const stdin = Array.from({ length: 600 }, (_, index) => `line ${index}`).join('\n');
    const values = lines((await succeed([...embed, '--lines', '--json'], { stdin })).out);
    expect([values.length, values[599]]).toEqual([600, expect.objectContaining({ input: 'line 599' })]);
    expect(lines((await succeed([...embed, '--json'], { stdin: 'a\nb' })).out)).toMatchObject([{ input: 'a\nb' }]);
  });

  test('requires a model and a text', async () => {
    const missing = await run(['embeddings', 'rivers']);
    expect([missing.code, missing.err]).toEqual([
      EXIT.usage,
      expect.stringContaining('Missing required option --model.'),
    ]);
    expect((await run([...embed])).code).toBe(EXIT.usage);
  });
});

const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
