/** `12.3 MB`, in powers of 1000. */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unitIndex = 0;
  while (value >= 999.5 && unitIndex < units.length - 1) {
    value /= 1000;
    unitIndex++;
  }
  return `${unitIndex === 0 ? Math.round(value) : value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unitIndex] ?? ''}`;
}

/** `8 s`, `3 min`, `2 h`. */
export function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 129_600 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}

/** Unix seconds in the local time zone: `2026-11-21 13:40`. */
export function timeText(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '';
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return '';
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Parses `64MB`, `16MiB` or `1000` as bytes. `undefined` for other text. */
export function parseBytes(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*(?:([kmg])(i?)b?|b)?$/i.exec(text.trim());
  if (match === null) return undefined;
  const [, amount = '', unit = '', binary] = match;
  const power = unit === '' ? 0 : 'kmg'.indexOf(unit.toLowerCase()) + 1;
  const bytes = Number(amount) * (binary ? 1024 : 1000) ** power;
  return Number.isSafeInteger(bytes) ? bytes : Math.floor(bytes);
}
