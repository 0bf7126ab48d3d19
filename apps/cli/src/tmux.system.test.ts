import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { folder } from './testing/fake-terminal.ts';
import { serve } from './testing/server.ts';
import type { Served } from './testing/server.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

let server: Served;
beforeAll(async () => (server = await serve({ simulator: { tokensPerSecond: 5 } })));
afterAll(() => server.stop());

/** A terminal of 80 by 24 in which the program runs. */
function open(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const cwd = folder();
  const socket = `modelwire-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const tmux = (...args: string[]): string => {
    const { stdout, stderr, status } = spawnSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    return stdout;
  };
  const variables = Object.entries({ ...server.env, HOME: cwd, ...env }).flatMap(([name, value]) => [
    '-e',
    `${name}=${value}`,
  ]);
  const quoted = [process.execPath, main, ...words].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  tmux('new-session', '-d', '-x', '80', '-y', '24', '-c', cwd, ...variables, `${quoted}; echo "ended with $?"; cat`);
  onTestFinished(() => void spawnSync('tmux', ['-L', socket, 'kill-server']));
  return {
    screen: (): string => tmux('capture-pane', '-p'),
    styled: (): string => tmux('capture-pane', '-p', '-e'),
    type: (...keys: string[]): string => tmux('send-keys', ...keys),
    paste(text: string): void {
      tmux('set-buffer', text);
      tmux('paste-buffer');
    },
  };
}

describe('In a real terminal', () => {
  test('a chat is typed, stopped by Ctrl-C, continued, and exited by Ctrl-D', async () => {
    const { screen, type } = open(['chat', '-t', '0']);
    await expect.poll(screen).toMatch(/^>$/m);
    // At the pace of this server the reply would take seconds.
    type(`Repeat: A river ${'flows and '.repeat(60)}ends`, 'Enter');
    await expect.poll(screen).toMatch(/^A river flows/m);
    type('C-c');
    await expect.poll(screen).toContain('(Stopped.)');
    expect(screen()).not.toContain('ended with');
    type('/sho', 'Tab');
    await expect.poll(screen).toContain('> /show');
    type('Enter');
    await expect.poll(screen).toMatch(/assistant: A river/);
    type('C-d');
    await expect.poll(screen).toContain('ended with 0');
  });

  test('pasted text is one message, and Ctrl-C twice at an empty prompt exits the chat', async () => {
    const { screen, type, paste } = open(['chat', '-t', '0']);
    await expect.poll(screen).toMatch(/^>$/m);
    paste('Repeat: one\ntwo');
    await expect.poll(screen).toMatch(/^two$/m);
    type('Enter');
    await expect.poll(screen).toMatch(/\n>\n/);
    type('C-c');
    await expect.poll(screen).toContain('again or Ctrl-D');
    type('C-c');
    await expect.poll(screen).toContain('ended with 0');
  });

  test('top watches the server until q, and leaves the screen as it was', async () => {
    const { screen, type } = open(['top', '--interval', '0.1'], server.adminEnv);
    await expect.poll(screen).toMatch(/^Modelwire .* in flight[^]*^this minute [^]*^simulator [^]*q quits/m);
    type('q');
    await expect.poll(screen).toContain('ended with 0');
    expect(screen()).not.toContain('this minute');
  });

  test('a table has a header and fits the window', async () => {
    const { screen, styled } = open(['models', 'list']);
    await expect.poll(screen).toContain('ended with 0');
    expect(screen()).toMatch(/^id +owner +created$/m);
    expect(styled()).toContain('\u001b[2mid');
    const plain = open(['models', 'list'], { NO_COLOR: '1' });
    await expect.poll(plain.screen).toContain('ended with 0');
    expect(plain.styled()).not.toContain('\u001b[2m');
  });

  test('a key is typed without echo', async () => {
    const { screen, type } = open(['config', 'set', 'api-key']);
    await expect.poll(screen).toContain('API key:');
    type('sk-typed-1234567890', 'Enter');
    await expect.poll(screen).toContain('ended with 0');
    expect(screen()).toContain('Set api-key of profile default.');
    expect(screen()).not.toContain('sk-typed');
  });
});
