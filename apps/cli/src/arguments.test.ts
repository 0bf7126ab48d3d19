import { describe, expect, test } from 'vitest';
import { parseArguments } from './arguments.ts';
import type { Argument, Flags } from './command.ts';
import { Failure } from './failure.ts';

const flags = {
  model: { type: 'string', short: 'm', description: '' },
  count: { type: 'integer', min: 1, max: 5, description: '' },
  share: { type: 'number', description: '' },
  tag: { type: 'string', multiple: true, description: '' },
  kind: { type: 'string', choices: ['small', 'large'], description: '' },
  fast: { type: 'boolean', short: 'f', description: '' },
} as const satisfies Flags;

const parse = (
  words: string[],
  args: readonly Argument[] = [{ name: 'word', optional: true, multiple: true, description: '' }],
) => parseArguments(words, { arguments: args, flags });

function failureOf(words: string[], args?: readonly Argument[]): Failure {
  try {
    parse(words, args);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing was wrong');
}

describe('Arguments', () => {
  test('are flags of every form and words, in any order', () => {
    const { flags: values, args } = parse([
      'a',
      '-m',
      'x',
      '--count=3',
      '--share',
      '-0.5',
      '--tag',
      '1',
      '--tag=2',
      '-f',
      'b',
      '--',
      '--c',
    ]);
    expect(values).toMatchObject({ model: 'x', count: 3, share: -0.5, tag: ['1', '2'], fast: true, json: false });
    expect(args).toEqual(['a', 'b', '--c']);
  });

  test('not given are false, empty or nothing', () => {
    expect(parse([]).flags).toMatchObject({ fast: false, tag: [] });
    expect(parse([]).flags.model).toBeUndefined();
  });

  test.each([
    [['--modle', 'x'], 'There is no flag --modle', 'Did you mean --model?'],
    [['--zzzzzzz'], 'There is no flag --zzzzzzz', 'See --help.'],
    [['--constructor'], 'There is no flag --constructor', 'See --help.'],
    [['--count', '7'], '--count: 7 is not in range: 1 to 5', undefined],
    [['--count', '1.5'], '--count: "1.5" is no whole number', undefined],
    [['--share', ''], '--share: "" is no number', undefined],
    [['--kind', 'lrage'], '--kind: "lrage" is none of small, large', 'Did you mean large?'],
    [['--fast=yes'], '--fast takes no value', undefined],
    [['--model'], '--model needs a value', '--model <string>'],
  ])('%j are refused in words', (words, message, hint) => {
    const failure = failureOf(words);
    expect([failure.message, failure.hint, failure.code]).toEqual([message, hint, 2]);
  });

  test.each(['--key', '--api-key=sk-123', '--API-KEY', '--token'])(
    '%s is refused, since arguments are no secret',
    (flag) => {
      expect(failureOf([flag, 'sk-123456789']).message).toContain('history of your shell');
      expect(failureOf([flag, 'sk-123456789']).message).not.toContain('sk-123');
    },
  );

  test('that are missing or too many are named', () => {
    const wanted = [{ name: 'file-id', description: 'its id' }];
    expect(failureOf([], wanted).message).toBe('<file-id> is missing: its id');
    expect(failureOf(['a', 'b'], wanted).message).toBe('There is one word too many: "b"');
    expect(failureOf(['bsah'], [{ name: 'shell', choices: ['bash', 'zsh'], description: '' }]).hint).toBe(
      'Did you mean bash?',
    );
  });

  test('are not asked for beside --help', () => {
    expect(parse(['--help'], [{ name: 'file-id', description: '' }]).flags.help).toBe(true);
  });
});
