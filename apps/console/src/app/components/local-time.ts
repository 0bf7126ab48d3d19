/** Unix seconds as the value of a `datetime-local` field, in the time zone of the browser. Empty for null. */
export function toLocalTime(seconds: number | null): string {
  if (seconds === null) return '';
  const date = new Date(seconds * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The value of a `datetime-local` or date field as Unix seconds, in the time zone of the browser. Null for an empty or invalid value. */
export function fromLocalTime(text: string): number | null {
  const milliseconds = Date.parse(text.length === 10 ? `${text}T00:00` : text);
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000);
}
