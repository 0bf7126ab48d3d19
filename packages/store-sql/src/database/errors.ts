import type { StorageOutage } from '@modelwire/ports';

export interface StoreErrorInit {
  /** The database's own code, such as `SQLITE_FULL` or `57P01`. */
  readonly code: string;
  /** Whether a unique constraint was violated. */
  readonly conflict?: boolean | undefined;
  /** Set when the database is unavailable and the operation may succeed later. */
  readonly outage?: StorageOutage | undefined;
}

/** A failed store operation. The message contains no values, addresses or credentials. */
export class StoreError extends Error {
  readonly code: string;
  readonly conflict: boolean;
  readonly noSpace: boolean;
  /** Set when the database is unavailable. The failed write may have been committed. */
  readonly outage: StorageOutage | undefined;
  constructor(message: string, { code, conflict = false, outage }: StoreErrorInit) {
    super(message);
    this.name = 'StoreError';
    this.code = code;
    this.conflict = conflict;
    this.outage = outage;
    // Of PostgreSQL: `disk_full`.
    this.noSpace = code === 'SQLITE_FULL' || code === '53100';
  }
}

/** The database has tables of a newer version than this program supports. Nothing was changed. */
export class StoreTooNewError extends Error {
  /** Version of the existing tables. */
  readonly found: number;
  /** The newest version that this program supports. */
  readonly known: number;
  constructor(found: number, known: number) {
    super(
      `The database has tables of version ${found}, but this program supports versions up to ${known}. Run a newer version.`,
    );
    this.name = 'StoreTooNewError';
    this.found = found;
    this.known = known;
  }
}

/** A transaction was rolled back because a statement did not return the expected number of rows. */
export class UnmetError extends Error {
  /** `Expected.condition`. */
  readonly condition: string;
  constructor(condition: string) {
    super(`The write was rolled back because a condition does not hold: ${condition}.`);
    this.name = 'UnmetError';
    this.condition = condition;
  }
}
