import { usageFailure } from './failure.ts';

/** `name=value` of a flag that may be repeated. */
export function pairsOf(flag: string, pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw usageFailure(`${flag}: "${pair}" is no name=value`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
