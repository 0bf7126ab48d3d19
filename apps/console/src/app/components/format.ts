const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const number = new Intl.NumberFormat('en');
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** A time in Unix seconds, in the time zone of the browser. */
export function formatTime(seconds: number | null | undefined): string {
  return seconds === null || seconds === undefined ? '–' : dateTime.format(seconds * 1000);
}

export function formatNumber(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : number.format(value);
}

/** A share from 0 to 1 in percent, such as `62.5 %`. */
export function formatShare(share: number | null | undefined, maximumFractionDigits = 1): string {
  if (share === null || share === undefined) return '–';
  return `${(100 * share).toLocaleString('en', { maximumFractionDigits })} %`;
}

const units = ['B', 'KB', 'MB', 'GB'];

/** Bytes with a decimal unit, such as `1.5 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit] ?? ''}`;
}

/** A duration such as `350 ms`, `2.5 s`, `3 min` or `1 h 20 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** An amount of money in its currency: cents from one unit on, below that the first three significant digits. */
export function formatMoney(amount: number, currency: string): string {
  const digits = amount === 0 || Math.abs(amount) >= 1 ? {} : { maximumSignificantDigits: 3 };
  return new Intl.NumberFormat('en', { style: 'currency', currency, ...digits }).format(amount);
}

/** A large number with a unit, such as `1.2K` or `3.4M`. */
export function formatCompact(value: number): string {
  return compact.format(value);
}

const relativeUnits = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const;

/** A time in Unix seconds relative to another, such as `5 minutes ago` or `in 3 days`. */
export function formatRelativeTime(seconds: number, nowMs: number): string {
  const difference = seconds - nowMs / 1000;
  const entry = relativeUnits.find((candidate) => Math.abs(difference) >= candidate.seconds);
  if (entry === undefined) return Math.abs(difference) < 5 ? 'now' : relative.format(Math.round(difference), 'second');
  return relative.format(Math.round(difference / entry.seconds), entry.unit);
}
