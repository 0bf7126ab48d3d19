import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { run } from './run.ts';
import { fakeService } from './testing/fake-service.ts';
import { fakeTerminal } from './testing/fake-terminal.ts';
import type { FakeTerminal } from './testing/fake-terminal.ts';
import { serve } from './testing/server.ts';
import type { Served } from './testing/server.ts';

let server: Served;
beforeAll(async () => (server = await serve()));
afterAll(() => server.stop());

interface ChatTerminal {
  readonly terminal: FakeTerminal;
  readonly ended: Promise<number>;
  /** Types a line, and returns the output until the next prompt. */
  line(text: string): Promise<string>;
  prompted(): Promise<void>;
}

// Movements of the cursor.
const CURSOR = /\u001b\[[\d;]*[A-Za-z]/g;
/** How readline writes an empty prompt. */
const PROMPT = '\u001b[0J> \u001b[3G';

/** Starts an interactive chat and waits for its first prompt. */
async function startChat(
  words: readonly string[] = [],
  env: Readonly<Record<string, string>> = server.env,
): Promise<ChatTerminal> {
  const tty = { stdin: true, stdout: true, stderr: true };
  const terminal = fakeTerminal({ env: { ...env, NO_COLOR: '1' }, typing: true, tty });
  const ended = run(['chat', '-t', '0', ...words], terminal);
  onTestFinished(async () => {
    terminal.end();
    await ended;
  });
  const promptsShown = (): number => terminal.out().split(PROMPT).length - 1;
  let prompts = 0;
  const prompted = async (): Promise<void> => {
    prompts++;
    await expect.poll(promptsShown).toBeGreaterThanOrEqual(prompts);
  };
  await prompted();
  return {
    terminal,
    ended,
    prompted,
    async line(text) {
      const [out, err] = [terminal.out().length, terminal.err().length];
      terminal.type(`${text}\r`);
      await prompted();
      return (terminal.out().slice(out) + terminal.err().slice(err)).replace(CURSOR, '');
    },
  };
}

describe('A conversation', () => {
  test('remembers its messages, and is saved', async () => {
    const { terminal, line, ended } = await startChat();
    expect(terminal.err()).toContain('simulator. Type /help for commands');
    await line('My name is Ada.');
    expect(await line('What is my name?')).toContain('Ada');
    terminal.type('/exit\r');
    expect(await ended).toBe(0);
    const folder = join(terminal.cwd, '.local/state/modelwire');
    expect(readFileSync(join(folder, 'history'), 'utf8')).toBe('My name is Ada.\nWhat is my name?\n/exit\n');
    const [name = ''] = readdirSync(join(folder, 'chats'));
    const saved = JSON.parse(readFileSync(join(folder, 'chats', name), 'utf8')) as { messages: unknown[] };
    expect(saved.messages).toHaveLength(4);
  });

  test('accepts continued lines, quoted text and pasted text as one message', async () => {
    const { sent, env } = await fakeService();
    const { line, terminal, prompted } = await startChat([], env);
    const lastContent = () => (sent() as { messages: { content: string }[] }).messages.at(-1)?.content;
    terminal.type('one \\\r');
    await expect.poll(() => terminal.out()).toContain('… ');
    await line('two');
    expect(lastContent()).toBe('one \ntwo');
    terminal.type('"""\ra\r\rb\r');
    await line('"""');
    expect(lastContent()).toBe('a\n\nb');
    terminal.type('pasted\nlines\n');
    await prompted();
    expect(lastContent()).toBe('pasted\nlines');
  });

  test('keeps a partial reply that is stopped by Ctrl-C, and continues', async () => {
    const { terminal, line, prompted } = await startChat([], (await fakeService('begun', 'hangs')).env);
    terminal.type('Tell me\r');
    await expect.poll(() => terminal.out()).toContain('begun');
    terminal.interrupt();
    await prompted();
    expect(terminal.err()).toContain('(Stopped.)');
    expect(await line('/show')).toContain('assistant: begun');
  });

  test('exits on the second Ctrl-C at an empty prompt, but not on the first, nor after input', async () => {
    const { terminal, ended, prompted } = await startChat();
    terminal.type('half a line\u0003');
    await prompted();
    expect(terminal.err()).not.toContain('Ctrl-C again');
    terminal.type('\u0003');
    await prompted();
    expect(terminal.err()).toContain('Ctrl-C again or Ctrl-D');
    terminal.type('\u0003');
    expect(await ended).toBe(0);
  });

  test('exits on Ctrl-D', async () => {
    const { terminal, ended } = await startChat();
    terminal.type('\u0004');
    expect(await ended).toBe(0);
  });

  test('does not send a failed message again with the next one', async () => {
    const { line } = await startChat(['-m', 'no-such-model', '--retries', '0']);
    expect(await line('Repeat: lost')).toContain('error: The model');
    await line('/model simulator');
    await line('Hello');
    const chat = await line('/show');
    expect(chat).toMatch(/user: Hello[^]*assistant: /);
    expect(chat).not.toContain('lost');
  });

  test('continues after an error, and sends the message again for /retry', async () => {
    const { line } = await startChat(['-m', 'no-such-model', '--retries', '0']);
    expect(await line('Hello')).toContain('error: The model');
    await line('/model simulator');
    expect(await line('/retry')).not.toContain('error');
    expect(await line('/show')).toMatch(/user: Hello[^]*assistant: /);
  });

  test('sends an attachment once, also if the first attempt failed', async () => {
    const { terminal, line } = await startChat(['-m', 'no-such-model', '--retries', '0', '--no-history']);
    writeFileSync(join(terminal.cwd, 'n.txt'), 'rivers');
    await line('/file n.txt');
    expect(await line('Read')).toContain('error: The model');
    await line('/model simulator');
    await line('/retry');
    await line('And now?');
    expect((await line('/show')).split('rivers\n').length - 1).toBe(1);
  });

  test('starts with the prompt of the command line for -i', async () => {
    const { terminal } = await startChat(['-i', 'What is 6 * 7?']);
    expect(terminal.out()).toContain('42');
  });
});

describe('Slash commands', () => {
  test('are listed by /help, and an unknown one is answered with a suggestion', async () => {
    const { line } = await startChat();
    const help = await line('/help');
    for (const name of ['/model', '/system', '/clear', '/save', '/file', '/retry', '/exit'])
      expect(help).toContain(name);
    expect(await line('/sytem')).toContain('Did you mean /system?');
  });

  test('change the model, the system message and the parameters of the next request', async () => {
    const { sent, env } = await fakeService();
    const { line } = await startChat([], env);
    await line('/model other');
    await line('/system Be brief');
    await line('/set seed 7');
    await line('/set temperature -');
    await line('Hello');
    expect(sent()).toMatchObject({ model: 'other', seed: 7, messages: [{ role: 'system', content: 'Be brief' }, {}] });
    expect(sent()).not.toHaveProperty('temperature');
  });

  test.each([
    ['temperature hot', 'temperature'],
    ['temperature 7', 'temperature'],
    ['temprature 1', 'Did you mean temperature?'],
    ['model other', 'Unknown parameter "model"'],
  ])('reject /set %s', async (argument, message) => {
    const { sent, env } = await fakeService();
    const { line } = await startChat([], env);
    expect(await line(`/set ${argument}`)).toMatch(new RegExp(`error: .*[^]*${message.replace('?', '\\?')}`));
    await line('Hello');
    expect(sent()).toMatchObject({ model: 'test-model', temperature: 0 });
  });

  test('attach files to the next message only, remove a turn, and start a new chat', async () => {
    const { sent, env } = await fakeService();
    const { line, terminal } = await startChat([], env);
    writeFileSync(join(terminal.cwd, 'n.txt'), 'rivers');
    await line('/file n.txt');
    await line('Read');
    await line('And now?');
    const messages = () => (sent() as { messages: { content: string }[] }).messages.map(({ content }) => content);
    expect(messages()).toEqual([expect.stringContaining('rivers'), 'Hello', 'And now?']);
    await line('/undo');
    await line('Instead');
    expect(messages().slice(2)).toEqual(['Instead']);
    await line('/clear');
    await line('Fresh');
    expect(messages()).toEqual(['Fresh']);
    expect(await line('/file nothing.txt')).toContain('no such file');
  });

  test('save the chat as Markdown or JSON, and never overwrite a file', async () => {
    const { line, terminal } = await startChat();
    await line('What is 6 * 7?');
    await line('/save chat.md');
    const saved = readFileSync(join(terminal.cwd, 'chat.md'), 'utf8');
    expect(saved).toMatch(/## You\n\nWhat is 6 \* 7\?\n\n## Model\n\n.*42/);
    await line('/save chat.json');
    expect(JSON.parse(readFileSync(join(terminal.cwd, 'chat.json'), 'utf8'))).toMatchObject({ model: 'simulator' });
    expect(await line('/save chat.md')).toContain('file already exists');
  });

  test('are completed by Tab, with models', async () => {
    const { terminal, prompted } = await startChat();
    terminal.type('/und\t');
    await expect.poll(() => terminal.out().replace(CURSOR, '')).toContain('/undo');
    terminal.type('\u0003');
    await prompted();
    terminal.type('/model simu\t');
    await expect.poll(() => terminal.out().replace(CURSOR, '')).toContain('/model simulator');
  });
});
