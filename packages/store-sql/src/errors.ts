import type { StorageOutage } from '@modelwire/ports';

export interface StoreErrorInit {
  /** The engine's own code, such as `SQLITE_FULL` or `57P01`. */
  readonly code: string;
  /** Whether a record of that id, or another that must be unique, is there already. */
  readonly conflict?: boolean | undefined;
  /** Set where the database cannot be used at the moment, and the same operation may succeed later. */
  readonly outage?: StorageOutage | undefined;
}

/** What a store could not do. Its message names no values, no address and no password. */
export class StoreError extends Error {
  readonly code: string;
  readonly conflict: boolean;
  readonly noSpace: boolean;
  /** Where the database cannot be used at the moment. A write that failed with it may have been committed. */
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

/** The database was written by a newer program: this one would not understand it. Nothing was changed. */
export class StoreTooNewError extends Error {
  /** Version of the tables that are there. */
  readonly found: number;
  /** The newest version that this program knows. */
  readonly known: number;
  constructor(found: number, known: number) {
    super(
      `the database has tables of version ${found}, and this program knows versions up to ${known}: run a newer program`,
    );
    this.name = 'StoreTooNewError';
    this.found = found;
    this.known = known;
  }
}

/** A unit was undone, because one of its statements did not give the rows that were expected of it. */
export class UnmetError extends Error {
  /** Of `Expected`. */
  readonly condition: string;
  constructor(condition: string) {
    super(`a condition of the write does not hold: ${condition}`);
    this.name = 'UnmetError';
    this.condition = condition;
  }
}
