import { parseArgs } from 'node:util';
import { ConfigError } from '../config/config-error.ts';

/** Separates `--config <file>` from the other arguments of a command. @throws ConfigError without a file. */
export function separateConfig(args: readonly string[]): { config: string | undefined; rest: readonly string[] } {
  const { tokens } = parseArgs({
    args: [...args],
    options: { config: { type: 'string' } },
    strict: false,
    tokens: true,
  });
  const token = tokens.find((each) => each.kind === 'option' && each.name === 'config');
  if (token?.kind !== 'option') return { config: undefined, rest: args };
  if (!token.value) throw new ConfigError('--config: expected a file');
  return { config: token.value, rest: args.toSpliced(token.index, token.inlineValue ? 1 : 2) };
}
