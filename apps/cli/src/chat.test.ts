import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from './exit-codes.ts';
import { fakeService } from './testing/fake-service.ts';
import { folder, lines, runCommand } from './testing/fake-terminal.ts';
import { serve } from './testing/server.ts';
import type { Served } from './testing/server.ts';

let server: Served;
beforeAll(async () => (server = await serve()));
afterAll(() => server.stop());

const person = { stdout: true, stderr: true };

describe('chat with a prompt', () => {
  test('prints the reply with a newline at its end', async () => {
    const { code, out, err } = await runCommand(['chat', '-t', '0', 'What', 'is', '6 * 7?'], { env: server.env });
    expect({ code, err }).toEqual({ code: EXIT.ok, err: '' });
    expect(out).toMatch(/42[^]*[^\n]\n$/);
  });

  test('prints the same without a stream, and one line of JSON for --json', async () => {
    const words = ['chat', '-t', '0', 'What is 6 * 7?'];
    const { out } = await runCommand(words, { env: server.env });
    expect((await runCommand([...words, '--no-stream'], { env: server.env })).out).toBe(out);
    const [completion] = lines((await runCommand([...words, '--json'], { env: server.env })).out);
    expect(completion).toMatchObject({ choices: [{ message: { content: out.trim() }, finish_reason: 'stop' }] });
    const chunks = lines((await runCommand([...words, '--chunks'], { env: server.env })).out);
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks[0]).toMatchObject({ object: 'chat.completion.chunk' });
  });

  test('continues the last chat with --continue', async () => {
    const cwd = folder();
    await runCommand(['chat', '-t', '0', 'My name is Ada.'], { cwd, env: server.env });
    const { out } = await runCommand(['chat', '-c', '-t', '0', 'What is my name?'], { cwd, env: server.env });
    expect(out).toContain('Ada');
    expect((await runCommand(['chat', '-c', 'x', '--no-history'], { env: server.env })).code).toBe(EXIT.usage);
  });

  test('requires a prompt', async () => {
    const { code, err } = await runCommand(['chat'], { env: server.env });
    expect(code).toBe(EXIT.usage);
    expect(err).toContain('Missing prompt.');
  });

  test('exits with 0 and a note when --max-tokens is reached', async () => {
    const words = ['chat', '--max-tokens', '2', 'Tell me about rivers'];
    const { code, err } = await runCommand(words, { env: server.env });
    expect([code, err]).toEqual([EXIT.ok, 'The reply reached the limit of 2 tokens (--max-tokens).\n']);
    expect((await runCommand([...words, '--quiet'], { env: server.env })).err).toBe('');
  });

  test('exits with 10 when the server truncates the reply, or the model refuses', async () => {
    const truncated = await runCommand(['chat', '--param', 'max_completion_tokens=2', 'Tell me about rivers'], {
      env: server.env,
    });
    expect([truncated.code, truncated.err]).toEqual([EXIT.unsuccessful, expect.stringContaining('truncated')]);
    const refused = await runCommand(['chat', 'Refuse this'], { env: server.env });
    expect([refused.code, refused.err, refused.out]).toEqual([
      EXIT.unsuccessful,
      expect.stringContaining('refused'),
      '',
    ]);
  });

  test('runs a command as a tool, and sends its output to the model', async () => {
    const words = [
      'chat',
      '-t',
      '0',
      'What is the weather in Paris?',
      '--tool',
      `weather(city) "The weather" = node -p "'sunny in '+process.argv[1]" {city}`,
    ];
    const { code, out, err } = await runCommand(words, { env: server.env });
    expect(code).toBe(EXIT.ok);
    expect(err).toContain('→ weather {"city":"Paris"}');
    expect(out).toContain('sunny in Paris');
  });

  test('prints a reply that calls no tool', async () => {
    const { env } = await fakeService(['Hel', 'lo']);
    expect((await runCommand(['chat', 'Hi', '--tool', 'now = date'], { env })).out).toBe('Hello\n');
  });

  test('rejects --chunks with --no-stream', async () => {
    const { code, err } = await runCommand(['chat', 'Hi', '--chunks', '--no-stream'], { env: server.env });
    expect([code, err]).toEqual([EXIT.usage, expect.stringContaining('cannot be combined')]);
  });

  test('exits with 10 if the reply is not valid JSON', async () => {
    for (const [text, code] of [
      ['Paris, I think', EXIT.unsuccessful],
      ['{"city":"Paris"}', EXIT.ok],
    ] as const) {
      const { env } = await fakeService(text);
      const ended = await runCommand(['chat', 'Where?', '--schema', '{"type":"object"}'], { env });
      expect([ended.code, ended.out]).toEqual([code, `${text}\n`]);
      expect(ended.err.includes('not valid JSON')).toBe(code === EXIT.unsuccessful);
    }
  });

  test('prints JSON that matches a schema, inline or in a file', async () => {
    const cwd = folder();
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    };
    writeFileSync(join(cwd, 'place.json'), JSON.stringify(schema));
    for (const schemaOption of ['place.json', JSON.stringify(schema)]) {
      const { out } = await runCommand(['chat', 'I live in Paris', '--schema', schemaOption], { cwd, env: server.env });
      expect(lines(out)).toEqual([{ city: expect.any(String) as unknown }]);
    }
  });
});

describe('The request of chat', () => {
  test('contains parameters, the system message, and stdin before the prompt', async () => {
    const { sent, env } = await fakeService();
    const flags = [
      '-s',
      'Be brief',
      '-t',
      '0.5',
      '--top-p',
      '0.9',
      '--seed',
      '7',
      '--stop',
      'END',
      '--effort',
      'low',
      '--metadata',
      'a=b',
      '--param',
      'logprobs=true',
    ];
    await runCommand(['chat', ...flags, 'Explain', 'this'], { env, stdin: 'a diff\n' });
    expect(sent()).toMatchObject({
      model: 'test-model',
      messages: [
        { role: 'system', content: 'Be brief' },
        { role: 'user', content: 'a diff\n\nExplain this' },
      ],
      ...{
        temperature: 0.5,
        top_p: 0.9,
        seed: 7,
        stop: ['END'],
        reasoning_effort: 'low',
        metadata: { a: 'b' },
        logprobs: true,
      },
    });
  });

  test('contains text files as text, and images and documents as content parts', async () => {
    const cwd = folder();
    const { sent, env } = await fakeService();
    writeFileSync(join(cwd, 'notes.md'), 'a ``` fence\n');
    await runCommand(['chat', 'Read', '-f', 'notes.md'], { cwd, env });
    expect(sent()).toMatchObject({ messages: [{ content: 'notes.md:\n````\na ``` fence\n````\n\nRead' }] });
    writeFileSync(join(cwd, 'p.png'), Buffer.from('89504e470d0a1a0a', 'hex'));
    writeFileSync(join(cwd, 'd.pdf'), Buffer.from('%PDF-1.7\n\xff\xfe', 'latin1'));
    await runCommand(
      ['chat', 'See', '--image', 'p.png', '--image', 'https://x.y/z.png', '-f', 'd.pdf', '-f', 'file-abc'],
      {
        cwd,
        env,
      },
    );
    expect(sent()).toMatchObject({
      messages: [
        {
          content: [
            {
              type: 'file',
              file: {
                filename: 'd.pdf',
                file_data: expect.stringMatching(/^data:application\/pdf;base64,/) as unknown,
              },
            },
            { type: 'file', file: { file_id: 'file-abc' } },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
            { type: 'image_url', image_url: { url: 'https://x.y/z.png' } },
            { type: 'text', text: 'See' },
          ],
        },
      ],
    });
  });
});

describe('Text from a server', () => {
  test('contains no control sequences on a terminal, and is unchanged in a pipe', async () => {
    const { env } = await fakeService('a\u001b]0;owned\u0007b \u001b[31mred');
    const result = await runCommand(['chat', 'Hi', '--plain'], { env: { ...env, NO_COLOR: '1' }, tty: person });
    expect(result.out).toBe('ab red\n');
    expect((await runCommand(['chat', 'Hi'], { env })).out).toBe('a\u001b]0;owned\u0007b \u001b[31mred\n');
    expect((await runCommand(['chat', 'Hi', '--json'], { env, tty: person })).out).not.toMatch(/[^\P{Cc}\n]/u);
  });

  test('is rendered on a terminal, but not without colors', async () => {
    const { env } = await fakeService('**bold**');
    expect((await runCommand(['chat', 'Hi'], { env, tty: person })).out).toBe('\u001b[1mbold\u001b[22m\n');
    expect((await runCommand(['chat', 'Hi', '--no-color'], { env, tty: person })).out).toBe('**bold**\n');
    expect((await runCommand(['chat', 'Hi'], { env: { ...env, TERM: 'dumb' }, tty: person })).out).toBe('**bold**\n');
  });

  test('never contains the key, even if the server repeats it', async () => {
    const { env } = await fakeService(`your key is sk-echo-1234567890`);
    const keyed = { ...env, MODELWIRE_API_KEY: 'sk-echo-1234567890' };
    const { out } = await runCommand(['chat', 'Hi', '--json'], { env: keyed });
    expect(out).not.toContain('sk-echo');
    expect(out).toContain('[key]');
  });

  test('never contains the key in chunks either, in a pipe or on a terminal', async () => {
    const { env } = await fakeService(['It is sk-ec', 'ho-12345', '67890, s', 'ir: sk', '-']);
    const keyed = { ...env, MODELWIRE_API_KEY: 'sk-echo-1234567890' };
    expect((await runCommand(['chat', 'Hi'], { env: keyed })).out).toBe('It is [key], sir: sk-\n');
    expect((await runCommand(['chat', 'Hi'], { env: keyed, tty: person })).out).toBe('It is [key], sir: sk-\n');
  });
});

test('A base URL without a version prefix is the hint when the server responds with 404', async () => {
  const { env } = await fakeService('', 404);
  const withoutVersion = { ...env, MODELWIRE_BASE_URL: env['MODELWIRE_BASE_URL']?.replace('/v1', '') ?? '' };
  for (const words of [['chat', 'Hi'], ['files', 'list'], ['models', 'list'], ['usage']]) {
    expect((await runCommand(words, { env: withoutVersion })).err).toContain(
      `Try ${env['MODELWIRE_BASE_URL'] ?? ''}\n`,
    );
    expect((await runCommand(words, { env })).err).not.toContain('Try');
  }
});

describe('Saved chats', () => {
  test('are listed, shown, resumed by the beginning of their ID, and deleted', async () => {
    const cwd = folder();
    const { sent, env } = await fakeService();
    await runCommand(['chat', 'First'], { cwd, env });
    await runCommand(['chat', 'Second'], { cwd, env });
    const listed = lines((await runCommand(['chats', 'list', '--json'], { cwd })).out) as {
      id: string;
      messages: unknown[];
    }[];
    expect(listed.map(({ messages }) => messages[0])).toMatchObject([{ content: 'Second' }, { content: 'First' }]);
    const [, { id }] = listed as [unknown, { id: string }];
    expect((await runCommand(['chats', 'get', id], { cwd })).out).toContain('## You\n\nFirst');
    await runCommand(['chat', '--resume', id.slice(0, -1), 'Third'], { cwd, env });
    const { messages } = sent() as { messages: { content: string }[] };
    expect(messages.map(({ content }) => content)).toEqual(['First', 'Hello', 'Third']);
    expect((await runCommand(['chats', 'delete', id], { cwd })).code).toBe(EXIT.ok);
    expect(lines((await runCommand(['chats', 'list', '--json'], { cwd })).out)).toHaveLength(1);
  });

  test('that do not exist, or whose ID is ambiguous, are an error', async () => {
    const cwd = folder();
    const { env } = await fakeService();
    await runCommand(['chat', 'First'], { cwd, env });
    await runCommand(['chat', 'Second'], { cwd, env });
    for (const [id, problem] of [
      ['9', 'does not exist'],
      ['2', 'is not unique'],
    ] as const) {
      const { code, err } = await runCommand(['chat', '--resume', id, 'Hi'], { cwd, env });
      expect([code, err]).toEqual([EXIT.notFound, expect.stringContaining(problem)]);
    }
  });
});

describe('Exit codes', () => {
  test.each([
    [400, EXIT.rejected],
    [401, EXIT.unauthorized],
    [403, EXIT.unauthorized],
    [404, EXIT.notFound],
    [409, EXIT.rejected],
    [429, EXIT.rateLimited],
    [500, EXIT.server],
  ])('for status %i is %i', async (status, code) => {
    const { env } = await fakeService('', status);
    const result = await runCommand(['chat', 'Hi', '--retries', '0', '--json'], { env });
    expect(result.code).toBe(code);
    expect(lines(result.err)).toMatchObject([{ error: { status, exit_code: code } }]);
  });

  test('for a server that cannot be reached is 4, with a hint at doctor', async () => {
    const env = { MODELWIRE_BASE_URL: 'http://127.0.0.1:9/v1', MODELWIRE_MODEL: 'm' };
    const { code, err } = await runCommand(['chat', 'Hi', '--retries', '0'], { env });
    expect(code).toBe(EXIT.connection);
    expect(err).toContain('modelwire doctor');
    // The reason is not repeated.
    expect(err.match(/127\.0\.0\.1:9/g) ?? []).toHaveLength(err.includes('bad port') ? 0 : 1);
  });

  test('for Ctrl-C is 130', async () => {
    const { env, requested } = await fakeService('never', 'hangs');
    const { fakeTerminal } = await import('./testing/fake-terminal.ts');
    const { run } = await import('./run.ts');
    const terminal = fakeTerminal({ env });
    const code = run(['chat', 'Hi'], terminal);
    await requested;
    terminal.interrupt();
    expect(await code).toBe(EXIT.interrupted);
    expect(terminal.err()).toBe('');
  });
});
