/** The periods of the figures: hours are counted by minute, days by UTC day. */
export const periods = {
  '1h': { label: '1 h', hours: 1 },
  '6h': { label: '6 h', hours: 6 },
  '24h': { label: '24 h', hours: 24 },
  '7d': { label: '7 d', days: 7 },
  '30d': { label: '30 d', days: 30 },
  '90d': { label: '90 d', days: 90 },
} as const;

export type Period = keyof typeof periods;

export const periodNames: readonly Period[] = ['1h', '6h', '24h', '7d', '30d', '90d'];

export function parsePeriod(value: unknown): Period {
  return periodNames.find((name) => name === value) ?? '24h';
}
