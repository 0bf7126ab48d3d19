import { readFile } from 'node:fs/promises';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, onTestFinished, test } from 'vitest';
import { splitWords } from './chat/shell-words.ts';
import { createCommandLine } from './command-line.ts';
import { commands } from './commands.ts';
import { EXIT } from './exit-codes.ts';
import { fakeApp } from './testing/fake-app.ts';
import { runCommand } from './testing/fake-terminal.ts';
import { serve } from './testing/server.ts';

interface Located {
  readonly path: string;
  readonly command: CommandUnknownOpts;
}

const visible = commands.filter(({ isHidden }) => isHidden !== true);
const groups: string[] = [];
const all: Located[] = [];
for (const { name } of visible) {
  const program = await createCommandLine(fakeApp(), [name]);
  const command = program.commands.find((each) => each.name() === name)!;
  if (command.commands.length > 0) groups.push(name);
  for (const each of command.commands) all.push({ path: `${name} ${each.name()}`, command: each });
  if (command.commands.length === 0) all.push({ path: name, command });
}

describe.each(all.map((each) => [each.path, each] as const))('modelwire %s', (name, { path, command }) => {
  test('has a help text with examples that can be parsed', async () => {
    const { code, out, err } = await runCommand([...path.split(' '), '--help']);
    expect([code, err]).toEqual([EXIT.ok, '']);
    expect(out).toContain(`Usage: modelwire ${name}`);
    const [, examples = ''] = out.split('\nExamples:\n');
    const lines = examples.split('\n').filter((line) => line !== '' && !line.startsWith('  # '));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      const parts = line.split(/ (?:\||&&|<|>|>>) /);
      const own = parts.find((part) => part.includes(`modelwire ${name}`)) ?? line;
      const words = splitWords(
        own
          .replace(/^[^]*?(?=modelwire )/, '')
          .replace(/\)'?$/, '')
          .replace(/ delete$/, ' delete id'),
      ).slice(1);
      const program = await createCommandLine(fakeApp(), words);
      let called: string | undefined;
      for (const group of program.commands) {
        for (const each of [group, ...group.commands]) {
          if (each.commands.length === 0) each.action(() => void (called = each.summary()));
        }
      }
      await program.parseAsync(words, { from: 'user' });
      expect([line, called]).toEqual([line, command.summary()]);
    }
  });

  test('has unique options, and a summary of one line without a full stop', () => {
    const flags = command.options.flatMap(({ short, long }) => [short ?? [], long ?? []].flat());
    expect(flags).toEqual([...new Set(flags)]);
    expect(command.summary()).toMatch(/^[A-Z][^.\n]{2,59}$/);
  });
});

describe('The program', () => {
  test('lists its commands for --help and for help', async () => {
    const { code, out } = await runCommand(['--help']);
    expect(code).toBe(EXIT.ok);
    for (const { name } of visible) expect(out).toContain(`  ${name} `);
    expect((await runCommand(['help'])).out).toBe(out);
    expect(out).not.toContain('__complete');
  });

  test('without arguments, says whether the server responds and what to do next', async () => {
    const stopped = await serve();
    await stopped.stop();
    const env = { MODELWIRE_BASE_URL: `${stopped.url}/v1` };
    const unreachable = await runCommand([], { env });
    expect([unreachable.code, unreachable.err]).toEqual([EXIT.ok, '']);
    expect(unreachable.out).toMatch(/^✗ network .*refuses connections/);
    expect(unreachable.out).toContain('\n  modelwire init ');
    const json = await runCommand(['--json'], { env });
    expect(JSON.parse(json.out)).toEqual({ base_url: env.MODELWIRE_BASE_URL, is_usable: false, models: [] });
    const server = await serve();
    onTestFinished(() => server.stop());
    const usable = await runCommand([], { env: server.env });
    expect([usable.code, usable.err]).toEqual([EXIT.ok, '']);
    expect(usable.out).toMatch(/^✓ server .*responds.*\n✓ models .*simulator/);
    for (const { out } of [unreachable, usable])
      for (const [, name] of out.matchAll(/^ {2}modelwire (\w+)/gm))
        expect([...visible.map((each) => each.name), 'help']).toContain(name);
  });

  test('describes a command or a group for help', async () => {
    for (const words of [['chat'], ['batches'], ['batches', 'create']]) {
      const { code, out } = await runCommand(['help', ...words]);
      expect([code, out]).toEqual([EXIT.ok, (await runCommand([...words, '--help'])).out]);
    }
  });

  test.each([
    [['help', 'fiels'], 'Did you mean files?'],
    [['help', 'chat', 'more'], 'Unknown command "more".'],
    [['fiels', 'list'], 'Did you mean files?'],
    [['batches', 'cretae'], 'Did you mean create?'],
    [['qqqqqq'], 'Run the command with --help for its usage.'],
    [['chat', '--modle', 'x'], 'Did you mean --model?'],
    [['chat', '--zzzzzzz'], "Unknown option '--zzzzzzz'"],
    [['chat', '--constructor'], "Unknown option '--constructor'"],
    [['chat', '--store=yes'], "Unknown option '--store=yes'"],
    [['chat', '--model'], "Option '-m, --model <model>' argument missing"],
    [['chat', '--verbosity', 'hihg'], 'Allowed choices are low, medium, high.'],
    [['files', 'get'], "Missing required argument 'file-id'"],
    [['files', 'get', 'a', 'b'], 'Too many arguments'],
  ])('rejects %j', async (words, message) => {
    const { code, err, out } = await runCommand(words);
    expect([code, out, err]).toEqual([EXIT.usage, '', expect.stringContaining(message)]);
  });

  test.each(['--key', '--api-key=sk-123', '--API-KEY', '--token'])(
    'rejects %s, since arguments are visible to other users',
    async (flag) => {
      const { code, err } = await runCommand(['chat', flag, 'sk-123456789']);
      expect([code, err]).toEqual([EXIT.usage, expect.stringContaining('keep it in its history')]);
      expect(err).not.toContain('sk-123');
    },
  );

  test('has plural nouns', () => {
    expect(groups.filter((noun) => !noun.endsWith('s'))).toEqual(['audit', 'config']);
  });

  test('lists the commands of a group', async () => {
    const { code, out } = await runCommand(['batches']);
    expect(code).toBe(EXIT.ok);
    expect(out).toContain('cancel');
  });

  test.each([
    [['--json', '--profile', 'chat', 'config', 'path']],
    [['config', '--json', '--profile', 'chat', 'path']],
    [['config', 'path', '--profile=chat', '--json']],
  ])('accepts global options before, between and after the names of the command: %j', async (words) => {
    const { code, out } = await runCommand(words);
    expect([code, JSON.parse(out)]).toEqual([
      EXIT.ok,
      expect.objectContaining({ config: expect.any(String) as string }),
    ]);
  });

  test('takes words that look like options as values, and after -- as arguments', async () => {
    const app = fakeApp();
    const words = ['chat', '-s', '-v is a flag', '-t', '-0', '--', '--json'];
    const program = await createCommandLine(app, words);
    const chat = program.commands.find((each) => each.name() === 'chat')!.action(() => undefined);
    await program.parseAsync(words, { from: 'user' });
    expect(chat.opts()).toMatchObject({ system: '-v is a flag', temperature: -0 });
    expect(chat.args).toEqual(['--json']);
    expect(app.options).not.toHaveProperty('json');
    expect(app.options).not.toHaveProperty('verbose');
  });

  test('prints errors as JSON with --json', async () => {
    const { err } = await runCommand(['files', 'get', '--json']);
    expect(JSON.parse(err)).toEqual({
      error: {
        message: "Missing required argument 'file-id'",
        hint: 'Run the command with --help for its usage.',
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
