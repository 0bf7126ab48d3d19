import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { createCommandLine } from './command-line.ts';
import { commands } from './commands.ts';
import { EXIT } from './exit-codes.ts';
import { fakeApp } from './testing/fake-app.ts';
import { folder } from './testing/fake-terminal.ts';
import { serve } from './testing/server.ts';

const path = new URL('../README.md', import.meta.url);
const readme = readFileSync(path, 'utf8');

test('The README lists every command with its summary', async () => {
  const rows: string[] = ['| command | description |', '| --- | --- |'];
  for (const { name, isHidden } of commands) {
    if (isHidden) continue;
    const program = await createCommandLine(fakeApp(), [name]);
    const command = program.commands.find((each) => each.name() === name)!;
    const help = command.createHelp();
    for (const each of command.commands.length > 0 ? command.commands : [command]) {
      const term = each === command ? help.subcommandTerm(each) : `${name} ${help.subcommandTerm(each)}`;
      rows.push(`| \`${term.replace(' [options]', '')}\` | ${each.summary()} |`);
    }
  }
  rows.push('| `help [command...]` | Show help for a command |');
  const table = `<!-- commands -->\n\n${rows.join('\n')}\n\n<!-- /commands -->`;
  const expected = await format(readme.replace(/<!-- commands -->[^]*<!-- \/commands -->/, table), {
    ...(await resolveConfig(path)),
    parser: 'markdown',
  });
  // Run the tests with UPDATE=1 to update the table.
  if (process.env['UPDATE'] === '1') writeFileSync(path, expected);
  else expect(readme).toBe(expected);
});

test('The README lists every exit code', () => {
  const table = /<!-- exit-codes -->([^]*)<!-- \/exit-codes -->/.exec(readme)?.[1] ?? '';
  const codes = Array.from(table.matchAll(/^\| (\d+) /gm), ([, code]) => Number(code));
  expect(codes).toEqual(Object.values(EXIT));
});

test('The commands of the quick start run one after the other', async () => {
  const [, script = ''] = /## Quick start\n\n```sh\n([^]*?)```/.exec(readme) ?? [];
  const lines = script.trim().split('\n');
  expect(lines).toHaveLength(12);
  const server = await serve();
  const { MODELWIRE_MODEL: _, ...env } = server.env;
  const cwd = folder();
  mkdirSync(join(cwd, 'bin'));
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  writeFileSync(join(cwd, 'bin/modelwire'), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, { mode: 0o755 });
  // A tool runs a program, not the builtin of a shell.
  writeFileSync(join(cwd, 'bin/echo'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
  writeFileSync(join(cwd, 'README.md'), readme);
  try {
    const running = promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', lines.join('\n')], {
      cwd,
      env: { ...env, HOME: cwd, PATH: `${join(cwd, 'bin')}:${process.env['PATH'] ?? ''}` },
    });
    // chat reads stdin to its end.
    running.child.stdin?.end();
    const { stdout } = await running;
    for (const expected of [
      '✓ chat',
      '42',
      'chat.completion',
      '{"city":',
      'sunny in Paris',
      '"embedding":[',
      'not flagged',
      'README.md',
      'simulator',
    ]) {
      expect(stdout).toContain(expected);
    }
  } finally {
    await server.stop();
  }
});
