import { formatCompact } from '../../components/format.ts';

/** Tokens per second. */
export function formatRate(perSecond: number): string {
  return `${perSecond < 10 ? perSecond.toFixed(1) : formatCompact(perSecond)}/s`;
}
