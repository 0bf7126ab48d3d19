import { describe, expect, test } from 'vitest';
import { parseArguments } from './arguments.ts';
import { CliError } from './cli-error.ts';
import type { Argument, Flags } from './command.ts';

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

function errorOf(words: string[], args?: readonly Argument[]): CliError {
  try {
    parse(words, args);
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
  throw new Error('no error');
}

describe('Arguments', () => {
  test('can be options in every form and positional arguments, in any order', () => {
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

  test('that are not given are false, empty or undefined', () => {
    expect(parse([]).flags).toMatchObject({ fast: false, tag: [] });
    expect(parse([]).flags.model).toBeUndefined();
  });

  test.each([
    [['--modle', 'x'], 'Unknown option --modle.', 'Did you mean --model?'],
    [['--zzzzzzz'], 'Unknown option --zzzzzzz.', 'Run the command with --help for a list of options.'],
    [['--constructor'], 'Unknown option --constructor.', 'Run the command with --help for a list of options.'],
    [['--count', '7'], 'Invalid value "7" for option --count: expected an integer from 1 to 5.', undefined],
    [['--count', '1.5'], 'Invalid value "1.5" for option --count: expected an integer from 1 to 5.', undefined],
    [['--share', ''], 'Invalid value "" for option --share: expected a number.', undefined],
    [
      ['--kind', 'lrage'],
      'Invalid value "lrage" for option --kind: expected one of small, large.',
      'Did you mean large?',
    ],
    [['--fast=yes'], 'Option --fast does not take a value.', undefined],
    [['--model'], 'Missing value for option --model.', 'Usage: --model <string>'],
  ])('%j are rejected with a message and a hint', (words, message, hint) => {
    const error = errorOf(words);
    expect([error.message, error.hint, error.code]).toEqual([message, hint, 2]);
  });

  test.each(['--key', '--api-key=sk-123', '--API-KEY', '--token'])(
    '%s is rejected, since arguments are visible to other users',
    (flag) => {
      expect(errorOf([flag, 'sk-123456789']).message).toContain('keep it in its history');
      expect(errorOf([flag, 'sk-123456789']).message).not.toContain('sk-123');
    },
  );

  test('that are missing or too many are named', () => {
    const expected = [{ name: 'file-id', description: 'Id of the file' }];
    expect(errorOf([], expected).message).toBe('Missing required argument <file-id>.');
    expect(errorOf(['a', 'b'], expected).message).toBe('Unexpected argument "b".');
    expect(errorOf(['bsah'], [{ name: 'shell', choices: ['bash', 'zsh'], description: '' }]).hint).toBe(
      'Did you mean bash?',
    );
  });

  test('are not required with --help', () => {
    expect(parse(['--help'], [{ name: 'file-id', description: '' }]).flags.help).toBe(true);
  });
});
