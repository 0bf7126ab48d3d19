import { formatCompact } from '../../components/format.ts';

/** A rate without its unit. */
export function formatRate(rate: number): string {
  return rate < 10 ? rate.toPrecision(rate < 0.1 ? 1 : 2) : formatCompact(rate);
}
