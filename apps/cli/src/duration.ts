import { usageError } from './cli-error.ts';

const unitSeconds = { m: 60, h: 3600, d: 86_400 } as const;

/** @throws a usage error for text other than a duration such as `30d`, `12h` or `5m`. */
export function secondsOf(flag: string, text: string): number {
  const match = /^(\d{1,6})([mhd])$/.exec(text);
  const unit = match?.[2];
  if (!match || (unit !== 'm' && unit !== 'h' && unit !== 'd'))
    throw usageError(`${flag}: expected a duration such as 30d, 12h or 5m.`);
  return Number(match[1]) * unitSeconds[unit];
}
