import { parseArgs } from 'node:util';
import type { Argument, Command, Flag, Flags, Values } from './command.ts';
import { globalFlags } from './command.ts';
import { nearest } from './nearest.ts';
import { usageFailure } from './failure.ts';

export interface Parsed<F extends Flags> {
  readonly flags: Values<F> & Values<typeof globalFlags>;
  readonly args: readonly string[];
}

/** How a key might be given in the arguments, where everybody on the machine reads it. */
const KEY_FLAGS = new Set(['key', 'api-key', 'apikey', 'token']);

/** The words after a command's name. @throws Failure that names the word that is wrong, and what may have been meant. */
export function parseArguments<F extends Flags>(
  words: readonly string[],
  command: Pick<Command<F>, 'arguments' | 'flags'>,
): Parsed<F> {
  const known: Flags = { ...globalFlags, ...command.flags };
  // Lenient, since our own words for what is wrong are better; node:util takes words apart, and that is the hard part.
  const { tokens, positionals } = parseArgs({
    args: [...words],
    options: Object.fromEntries(
      Object.entries(known).map(([name, { type, short }]) => [
        name,
        {
          type: type === 'boolean' ? ('boolean' as const) : ('string' as const),
          ...(short !== undefined && { short }),
        },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });

  const given: Record<string, unknown> = {};
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const flag = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (flag === undefined) throw unknownFlag(token.rawName, token.name, known);
    const value = readValue(token.rawName, flag, token.value);
    if (flag.multiple === true) given[token.name] = [...listOf(given[token.name]), value];
    else given[token.name] = value;
  }
  for (const [name, flag] of Object.entries(known)) {
    if (given[name] === undefined && flag.multiple === true) given[name] = [];
    if (given[name] === undefined && flag.type === 'boolean') given[name] = false;
  }
  if (given['help'] !== true) checkArguments(positionals, command.arguments);
  // Every flag of the table was read by its own type.
  return { flags: given as Parsed<F>['flags'], args: positionals };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function readValue(raw: string, flag: Flag, text: string | undefined): unknown {
  if (flag.type === 'boolean') {
    if (text !== undefined) throw usageFailure(`${raw} takes no value`);
    return true;
  }
  if (text === undefined) throw usageFailure(`${raw} needs a value`, `${raw} <${flag.value ?? flag.type}>`);
  if (flag.choices !== undefined && !flag.choices.includes(text)) {
    const meant = nearest(text, flag.choices);
    throw usageFailure(
      `${raw}: "${text}" is none of ${flag.choices.join(', ')}`,
      meant === undefined ? undefined : `Did you mean ${meant}?`,
    );
  }
  if (flag.type === 'string') return text;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  const { min = -Infinity, max = Infinity } = flag;
  if (!Number.isFinite(value) || (flag.type === 'integer' && !Number.isSafeInteger(value))) {
    throw usageFailure(`${raw}: "${text}" is no ${flag.type === 'integer' ? 'whole number' : 'number'}`);
  }
  if (value < min || value > max) {
    const range = max === Infinity ? `at least ${min}` : min === -Infinity ? `at most ${max}` : `${min} to ${max}`;
    throw usageFailure(`${raw}: ${text} is not in range: ${range}`);
  }
  return value;
}

function unknownFlag(raw: string, name: string, known: Flags): Error {
  if (KEY_FLAGS.has(name.toLowerCase())) {
    return usageFailure(
      'A key in the arguments is seen by everybody on this machine and stays in the history of your shell.',
      'Set MODELWIRE_API_KEY, keep it in a profile (modelwire profile add), or give --key-file <file>; - is stdin.',
    );
  }
  const names = Object.entries(known).flatMap(([each, { hidden }]) => (hidden === true ? [] : [each]));
  const meant = raw.startsWith('--') ? nearest(name, names) : undefined;
  return usageFailure(`There is no flag ${raw}`, meant === undefined ? 'See --help.' : `Did you mean --${meant}?`);
}

function checkArguments(args: readonly string[], wanted: readonly Argument[]): void {
  const missing = wanted.find(({ optional }, at) => optional !== true && args[at] === undefined);
  if (missing !== undefined) throw usageFailure(`<${missing.name}> is missing: ${missing.description}`, 'See --help.');
  const takesAll = wanted.at(-1)?.multiple === true;
  const extra = args[wanted.length];
  if (!takesAll && extra !== undefined) throw usageFailure(`There is one word too many: "${extra}"`, 'See --help.');
  for (const [at, { name, choices }] of wanted.entries()) {
    const word = args[at];
    if (word === undefined || choices === undefined || choices.includes(word)) continue;
    const meant = nearest(word, choices);
    throw usageFailure(
      `<${name}>: "${word}" is none of ${choices.join(', ')}`,
      meant === undefined ? undefined : `Did you mean ${meant}?`,
    );
  }
}
