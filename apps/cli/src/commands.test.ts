import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parseArguments } from './arguments.ts';
import { splitWords } from './chat/shell-words.ts';
import type { Leaf } from './command.ts';
import { globalFlags } from './command.ts';
import { commands } from './commands.ts';
import { EXIT } from './exit-codes.ts';
import { commandHelp, shown } from './help.ts';
import { takeCommand } from './run.ts';
import { ran } from './testing/fake-terminal.ts';

interface Place {
  readonly path: readonly string[];
  readonly leaf: Leaf;
}

const all: readonly Place[] = commands.flatMap((entry) =>
  'commands' in entry
    ? entry.commands.map((leaf) => ({ path: [entry.name, leaf.name], leaf }))
    : [{ path: [entry.name], leaf: entry }],
);

describe.each(all.map((place) => [place.path.join(' '), place] as const))('modelwire %s', (name, { path, leaf }) => {
  test('has a help of its own, with examples that its own flags take', async () => {
    const { command } = await leaf.load();
    const help = commandHelp(path, leaf, command);
    expect(help).toContain(`modelwire ${name}`);
    expect(command.examples.length).toBeGreaterThan(0);
    for (const { line } of command.examples) {
      const parts = line.split(/ (?:\||&&|<|>|>>) /);
      const own = parts.find((part) => part.includes(`modelwire ${name}`)) ?? line;
      const words = splitWords(
        own
          .replace(/^[^]*?(?=modelwire )/, '')
          .replace(/\)'?$/, '')
          .replace(/ delete$/, ' delete id'),
      );
      const { path: found, rest } = takeCommand(words.slice(1));
      expect([line, found.names]).toEqual([line, path]);
      expect(() => parseArguments(rest, command)).not.toThrow();
    }
  });

  test('has flags whose names and short forms are its own, and a summary of one line', async () => {
    const { command } = await leaf.load();
    const flags = { ...globalFlags, ...command.flags };
    const shorts = Object.values(flags).flatMap((flag) => ('short' in flag ? [flag.short] : []));
    expect(new Set(shorts).size).toBe(shorts.length);
    expect(Object.keys(command.flags).filter((flag) => flag in globalFlags)).toEqual([]);
    expect(leaf.summary).toMatch(/^[^.\n]{3,60}$/);
  });

  test('prints it for --help, and ends well', async () => {
    const { code, out, err } = await ran([...path, '--help']);
    expect([code, err]).toEqual([EXIT.ok, '']);
    expect(out).toContain('Examples');
  });
});

describe('The program', () => {
  test('lists its commands without one, and for --help', async () => {
    const { code, out } = await ran([]);
    expect(code).toBe(EXIT.ok);
    for (const { name } of shown(commands)) expect(out).toContain(`  ${name} `);
    expect((await ran(['--help'])).out).toBe(out);
    expect(out).not.toContain('__complete');
  });

  test('lists the commands of a group', async () => {
    const { code, out } = await ran(['batch']);
    expect(code).toBe(EXIT.ok);
    expect(out).toContain('cancel');
  });

  test.each([
    [['fiels', 'list'], 'Did you mean modelwire files?'],
    [['batch', 'cretae'], 'Did you mean modelwire batch create?'],
    [['qqqqqq'], 'modelwire --help lists them.'],
  ])('%j is told what may have been meant', async (words, hint) => {
    const { code, err, out } = await ran(words);
    expect([code, out]).toEqual([EXIT.usage, '']);
    expect(err).toContain(hint);
  });

  test('takes flags of every command before the command too', () => {
    const { path, rest } = takeCommand(['--json', '--profile', 'chat', 'files', '-v', 'list', '--all']);
    expect(path.names).toEqual(['files', 'list']);
    expect(rest).toEqual(['--json', '--profile', 'chat', '-v', '--all']);
  });

  test('says what is wrong as JSON where JSON is asked for', async () => {
    const { err } = await ran(['files', 'get', '--json']);
    expect(JSON.parse(err)).toEqual({
      error: { message: '<file-id> is missing: as files list shows it', hint: 'See --help.', exit_code: 2 },
    });
  });

  test('says its version, as its package does', async () => {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(await ran(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });
});
