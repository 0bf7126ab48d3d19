import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { folder } from '../testing/fake-terminal.ts';
import { splitWords } from './shell-words.ts';
import { readTool, runnable, wordsOf } from './tools.ts';

const signal = new AbortController().signal;
const env = { PATH: process.env['PATH'], MODELWIRE_API_KEY: 'sk-secret', LANG: 'C' };

async function call(spec: string, args: unknown, approve?: () => Promise<boolean>): Promise<unknown> {
  const cwd = folder();
  return runnable(await readTool(spec, cwd), { cwd, env, approve }).run(args, { signal, callId: 'call_1' });
}

describe('A command as a tool', () => {
  test('is defined in one line, with the types of its parameters', async () => {
    expect(await readTool('weather(city, days?: integer) "The weather" = ./w --days {days} "{city}"', '/')).toEqual({
      name: 'weather',
      description: 'The weather',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'integer' } },
        required: ['city'],
        additionalProperties: false,
      },
      command: ['./w', '--days', '{days}', '{city}'],
    });
    expect(await readTool('now = date', '/')).toMatchObject({ name: 'now', command: ['date'] });
  });

  test('is defined in a file', async () => {
    const cwd = folder();
    const parameters = { type: 'object', properties: { a: { type: 'string' } } };
    writeFileSync(join(cwd, 't.json'), JSON.stringify({ name: 't', parameters, command: ['echo', '{a}'] }));
    expect(await readTool('@t.json', cwd)).toMatchObject({ name: 't', parameters, command: ['echo', '{a}'] });
  });

  test.each([
    ['weather', 'Invalid value "weather" for option --tool'],
    ['w(city: town) = x', 'Invalid parameter "city: town"'],
    ['w(city) = x {cty}', '{cty} is not a parameter of w'],
    ['w = "x', 'Missing closing quote'],
    ['@{}', 'no such file'],
  ])('%s is rejected with the reason', async (spec, reason) => {
    await expect(readTool(spec, folder())).rejects.toThrow(reason);
  });

  test('receives an argument as one word, whatever it contains, and all arguments on stdin', async () => {
    expect(await call('say(text) = node -p process.argv[1] {text}', { text: '$(id); `id` "a" \'b\' | rm\n-rf' })).toBe(
      '$(id); `id` "a" \'b\' | rm\n-rf',
    );
    expect(await call('all(a, b?) = cat', { a: 1, b: [2] })).toBe('{"a":1,"b":[2]}');
  });

  test.each(['--help', '-rf', '-', '--'])(
    'is not run where the model writes %s in place of an operand',
    async (text) => {
      await expect(call('say(text) = printf {text}', { text })).rejects.toThrow('must not begin with "-"');
      await expect(call('say(text) = printf {text}.txt', { text })).rejects.toThrow('must not begin with "-"');
      await expect(call('say(text) = printf --format {text}', { text })).rejects.toThrow('must not begin with "-"');
    },
  );

  test.each(['--help', '-rf'])('receives %s after "--", in the value of an option, and on stdin', async (text) => {
    const show = 'node -p process.argv.slice(1).join()';
    expect(await call(`say(text) = ${show} -- x {text}`, { text })).toBe(`x,${text}`);
    expect(wordsOf(['x', '--format={text}', '-f{text}'], { text })).toEqual(['x', `--format=${text}`, `-f${text}`]);
    expect(await call('say(text) = cat', { text })).toBe(JSON.stringify({ text }));
  });

  test.each([
    ['say(text) = {text}', 'the program of say must not be a placeholder'],
    ['say(text) = printf -{text}', 'lets the model choose an option'],
    ['say(text) = printf --{text}=1', 'lets the model choose an option'],
  ])('%s is rejected when it is parsed', async (spec, reason) => {
    await expect(readTool(spec, '/')).rejects.toThrow(reason);
  });

  test('omits a word whose argument is missing', () => {
    expect(wordsOf(['x', '{a}', '--b={b}', '{c}'], { a: 'one', c: null })).toEqual(['x', 'one', '--b=']);
  });

  test('reports its output if it fails, and never receives the API key', async () => {
    await expect(call('bad = sh -c "echo broken >&2; exit 3"', {})).rejects.toThrow('sh exited with code 3: broken');
    await expect(call('none = no-such-program', {})).rejects.toThrow('ENOENT');
    expect(await call('env = env', {})).not.toContain('sk-secret');
  });

  test('is not run if the user rejects it', async () => {
    await expect(call('now = date', {}, () => Promise.resolve(false))).rejects.toThrow('The user rejected');
  });
});

test('A command line is split into words as by a shell', () => {
  expect(splitWords(`a "b c" 'd "e"' f\\ g "" h"i"j "k\\"l\\m"`)).toEqual([
    'a',
    'b c',
    'd "e"',
    'f g',
    '',
    'hij',
    'k"l\\m',
  ]);
  fc.assert(
    fc.property(fc.array(fc.string()), (words) => {
      const line = words.map((word) => `'${word.replaceAll("'", `'"'"'`)}'`).join(' ');
      expect(splitWords(line)).toEqual(words);
    }),
  );
});
