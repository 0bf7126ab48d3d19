import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parseArguments } from './arguments.ts';
import { splitWords } from './chat/shell-words.ts';
import type { Leaf } from './command.ts';
import { globalFlags } from './command.ts';
import { commands } from './commands.ts';
import { EXIT } from './exit-codes.ts';
import { findCommand } from './find-command.ts';
import { helpText, visible } from './help.ts';
import { runCommand } from './testing/fake-terminal.ts';

interface Located {
  readonly path: readonly string[];
  readonly leaf: Leaf;
}

const all: readonly Located[] = commands.flatMap((entry) =>
  'commands' in entry
    ? entry.commands.map((leaf) => ({ path: [entry.name, leaf.name], leaf }))
    : [{ path: [entry.name], leaf: entry }],
);

describe.each(all.map((each) => [each.path.join(' '), each] as const))('modelwire %s', (name, { path, leaf }) => {
  test('has a help text with examples that can be parsed', async () => {
    const command = await leaf.load();
    const help = await helpText({ names: path, group: undefined, leaf }, commands);
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
      const { path: found, remainingWords } = findCommand(words.slice(1), commands);
      expect([line, found.names]).toEqual([line, path]);
      expect(() => parseArguments(remainingWords, command)).not.toThrow();
    }
  });

  test('has unique options, and a summary of one line without a full stop', async () => {
    const command = await leaf.load();
    const flags = { ...globalFlags, ...command.flags };
    const shorts = Object.values(flags).flatMap((flag) => ('short' in flag ? [flag.short] : []));
    expect(new Set(shorts).size).toBe(shorts.length);
    expect(Object.keys(command.flags).filter((flag) => flag in globalFlags)).toEqual([]);
    expect(leaf.summary).toMatch(/^[A-Z][^.\n]{2,59}$/);
  });

  test('prints its help for --help', async () => {
    const { code, out, err } = await runCommand([...path, '--help']);
    expect([code, err]).toEqual([EXIT.ok, '']);
    expect(out).toContain('Examples');
  });
});

describe('The program', () => {
  test('lists its commands without arguments, for --help and for help', async () => {
    const { code, out } = await runCommand([]);
    expect(code).toBe(EXIT.ok);
    for (const { name } of visible(commands)) expect(out).toContain(`  ${name} `);
    expect((await runCommand(['--help'])).out).toBe(out);
    expect((await runCommand(['help'])).out).toBe(out);
    expect(out).not.toContain('__complete');
  });

  test('describes a command or a group for help', async () => {
    for (const words of [['chat'], ['batches'], ['batches', 'create']]) {
      const { code, out } = await runCommand(['help', ...words]);
      expect([code, out]).toEqual([EXIT.ok, (await runCommand([...words, '--help'])).out]);
    }
  });

  test.each([
    [['help', 'fiels'], 'Did you mean modelwire files?'],
    [['help', 'chat', 'more'], 'Unknown command "chat more".'],
  ])('rejects %j', async (words, message) => {
    const { code, err } = await runCommand(words);
    expect([code, err]).toEqual([EXIT.usage, expect.stringContaining(message)]);
  });

  test.each(commands.flatMap((entry) => ('commands' in entry ? [entry.name] : [])))(
    'lists every command that the module of %s exports',
    async (name) => {
      const group = commands.find((entry) => entry.name === name);
      const module: object = (await import(`./commands/${name}.ts`)) as object;
      const names = group !== undefined && 'commands' in group ? group.commands.map((each) => each.name) : [];
      expect(names.toSorted()).toEqual(Object.keys(module).toSorted());
    },
  );

  test('has plural nouns', () => {
    const nouns = commands.flatMap((entry) => ('commands' in entry ? [entry.name] : []));
    expect(nouns.filter((noun) => !noun.endsWith('s'))).toEqual(['audit', 'config']);
  });

  test('lists the commands of a group', async () => {
    const { code, out } = await runCommand(['batches']);
    expect(code).toBe(EXIT.ok);
    expect(out).toContain('cancel');
  });

  test.each([
    [['fiels', 'list'], 'Did you mean modelwire files?'],
    [['batches', 'cretae'], 'Did you mean modelwire batches create?'],
    [['qqqqqq'], 'Run modelwire --help for a list of commands.'],
  ])('suggests a command for %j', async (words, hint) => {
    const { code, err, out } = await runCommand(words);
    expect([code, out]).toEqual([EXIT.usage, '']);
    expect(err).toContain(hint);
  });

  test('accepts global options before the command', () => {
    const { path, remainingWords } = findCommand(
      ['--json', '--profile', 'chat', 'files', '-v', 'list', '--all'],
      commands,
    );
    expect(path.names).toEqual(['files', 'list']);
    expect(remainingWords).toEqual(['--json', '--profile', 'chat', '-v', '--all']);
  });

  test('prints errors as JSON with --json', async () => {
    const { err } = await runCommand(['files', 'get', '--json']);
    expect(JSON.parse(err)).toEqual({
      error: {
        message: 'Missing required argument <file-id>.',
        hint: '<file-id>: ID from modelwire files list',
        exit_code: 2,
      },
    });
  });

  test('prints the version of its package', async () => {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(await runCommand(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });
});
