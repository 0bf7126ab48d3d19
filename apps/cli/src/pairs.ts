import { usageError } from './cli-error.ts';

/** Parses `name=value` values of a repeatable option. */
export function pairsOf(flag: string, pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw usageError(`Invalid value "${pair}" for option ${flag}: expected name=value.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
