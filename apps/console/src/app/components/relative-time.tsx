import { formatRelativeTime, formatTime } from './format.ts';

/** A time relative to now, with the exact time in a tooltip. */
export function RelativeTime({ seconds }: { readonly seconds: number | null | undefined }) {
  if (seconds === null || seconds === undefined) return '–';
  return (
    <time dateTime={new Date(seconds * 1000).toISOString()} title={formatTime(seconds)}>
      {formatRelativeTime(seconds, Date.now())}
    </time>
  );
}
