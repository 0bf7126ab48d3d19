import { formatCompact } from '../../components/format.ts';

/** Tokens per second. */
export function formatRate(perSecond: number): string {
  return `${perSecond < 10 ? perSecond.toPrecision(perSecond < 0.1 ? 1 : 2) : formatCompact(perSecond)}/s`;
}
