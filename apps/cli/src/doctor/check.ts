type CheckStatus = 'ok' | 'warning' | 'error' | 'skipped';

/** Result of one check. */
export interface Check {
  readonly name: string;
  readonly status: CheckStatus;
  readonly message: string;
  /** How to fix the problem. */
  readonly fix?: string;
}

export const ok = (name: string, message: string): Check => ({ name, status: 'ok', message });
export const warning = (name: string, message: string, fix: string): Check => ({
  name,
  status: 'warning',
  message,
  fix,
});
export const failed = (name: string, message: string, fix: string): Check => ({ name, status: 'error', message, fix });
export const skipped = (name: string, message: string): Check => ({ name, status: 'skipped', message });
