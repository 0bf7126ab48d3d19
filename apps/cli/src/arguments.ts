import { parseArgs } from 'node:util';
import { usageError } from './cli-error.ts';
import type { Argument, Command, Flag, Flags, Values } from './command.ts';
import { globalFlags } from './command.ts';
import { nearest } from '@modelwire/schema/nearest';

export interface Parsed<F extends Flags> {
  readonly flags: Values<F> & Values<typeof globalFlags>;
  readonly args: readonly string[];
}

/** Options that users try for the API key. Arguments are visible to everyone on the machine. */
const KEY_OPTIONS = new Set(['key', 'api-key', 'apikey', 'token']);

/** Parses the words after the name of a command. @throws CliError that names the invalid word and suggests a correction. */
export function parseArguments<F extends Flags>(
  words: readonly string[],
  command: Pick<Command<F>, 'arguments' | 'flags'>,
): Parsed<F> {
  const knownFlags: Flags = { ...globalFlags, ...command.flags };
  const { tokens, positionals } = tokenize(words, knownFlags);

  const values: Record<string, unknown> = {};
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const flag = Object.hasOwn(knownFlags, token.name) ? knownFlags[token.name] : undefined;
    if (flag === undefined) throw unknownOption(token.rawName, token.name, knownFlags);
    const value = readValue(token.rawName, flag, token.value);
    if (flag.multiple === true) values[token.name] = [...listOf(values[token.name]), value];
    else values[token.name] = value;
  }
  for (const [name, flag] of Object.entries(knownFlags)) {
    if (values[name] === undefined && flag.multiple === true) values[name] = [];
    if (values[name] === undefined && flag.type === 'boolean') values[name] = false;
  }
  if (values['help'] !== true) checkArguments(positionals, command.arguments);
  // Each value was parsed according to the type of its flag.
  return { flags: values as Parsed<F>['flags'], args: positionals };
}

/** Splits words into options and positional arguments. Lenient: the caller checks them, with better messages. */
export function tokenize(words: readonly string[], flags: Flags) {
  const options = Object.entries(flags).map(([name, { type, short }]) => {
    const kind = type === 'boolean' ? ('boolean' as const) : ('string' as const);
    return [name, { type: kind, ...(short !== undefined && { short }) }] as const;
  });
  return parseArgs({
    args: [...words],
    options: Object.fromEntries(options),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function readValue(option: string, flag: Flag, text: string | undefined): unknown {
  if (flag.type === 'boolean') {
    if (text !== undefined) throw usageError(`Option ${option} does not take a value.`);
    return true;
  }
  if (text === undefined) {
    throw usageError(`Missing value for option ${option}.`, `Usage: ${option} <${flag.value ?? flag.type}>`);
  }
  if (flag.choices !== undefined) checkChoice(`option ${option}`, text, flag.choices);
  if (flag.type === 'string') return text;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  const { min = -Infinity, max = Infinity } = flag;
  const isValid = flag.type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (!isValid || value < min || value > max) {
    const kind = flag.type === 'integer' ? 'an integer' : 'a number';
    const range = max === Infinity ? (min === -Infinity ? '' : ` of at least ${min}`) : ` from ${min} to ${max}`;
    throw usageError(`Invalid value "${text}" for option ${option}: expected ${kind}${range}.`);
  }
  return value;
}

function unknownOption(rawName: string, name: string, knownFlags: Flags): Error {
  if (KEY_OPTIONS.has(name.toLowerCase())) {
    return usageError(
      'An API key is not accepted on the command line: other users of this machine could read it, and your shell would keep it in its history.',
      'Set MODELWIRE_API_KEY, store the key in a profile (modelwire profiles create), or use --key-file <file>.',
    );
  }
  const names = Object.entries(knownFlags).flatMap(([flagName, { hidden }]) => (hidden === true ? [] : [flagName]));
  const suggestion = rawName.startsWith('--') ? nearest(name, names) : undefined;
  return usageError(
    `Unknown option ${rawName}.`,
    suggestion === undefined ? 'Run the command with --help for a list of options.' : `Did you mean --${suggestion}?`,
  );
}

function checkArguments(args: readonly string[], expected: readonly Argument[]): void {
  const missing = expected.find(({ optional }, index) => optional !== true && args[index] === undefined);
  if (missing !== undefined) {
    throw usageError(`Missing required argument <${missing.name}>.`, `<${missing.name}>: ${missing.description}`);
  }
  const isVariadic = expected.at(-1)?.multiple === true;
  const unexpected = args[expected.length];
  if (!isVariadic && unexpected !== undefined) {
    throw usageError(`Unexpected argument "${unexpected}".`, 'Run the command with --help for its usage.');
  }
  for (const [index, { name, choices }] of expected.entries()) {
    const word = args[index];
    if (word !== undefined && choices !== undefined) checkChoice(`<${name}>`, word, choices);
  }
}

function checkChoice(target: string, text: string, choices: readonly string[]): void {
  if (choices.includes(text)) return;
  const suggestion = nearest(text, choices);
  throw usageError(
    `Invalid value "${text}" for ${target}: expected one of ${choices.join(', ')}.`,
    suggestion === undefined ? undefined : `Did you mean ${suggestion}?`,
  );
}
