const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const number = new Intl.NumberFormat('en');
const money = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 });

/** A time in Unix seconds, in the time zone of the browser. */
export function formatTime(seconds: number | null | undefined): string {
  return seconds === null || seconds === undefined ? '–' : dateTime.format(seconds * 1000);
}

export function formatNumber(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : number.format(value);
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

/** An amount of money, such as `1.25 EUR`, with as many decimals as it needs up to a millionth. */
export function formatMoney(amount: number, currency: string): string {
  return `${money.format(amount)} ${currency.toUpperCase()}`;
}
