const hourSeconds = 3600;
const pattern = /^(?:([1-9]\d{0,2})h|([1-7])d)$/;

/** The longest completion window. */
export const BATCH_MAX_WINDOW_SECONDS = 168 * hourSeconds;

/** The seconds of a completion window: `1h` to `168h`, or `1d` to `7d`. Undefined for anything else. */
export function completionWindowSeconds(window: string): number | undefined {
  const match = pattern.exec(window);
  if (!match) return undefined;
  const [, hours = '0', days = '0'] = match;
  const seconds = (Number(hours) + 24 * Number(days)) * hourSeconds;
  return seconds <= BATCH_MAX_WINDOW_SECONDS ? seconds : undefined;
}
