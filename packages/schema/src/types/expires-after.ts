/** When a file goes: `seconds` after `anchor`. */
export interface ExpiresAfter {
  readonly anchor: 'created_at';
  /** 3600 to 2592000: an hour to 30 days. */
  readonly seconds: number;
}
