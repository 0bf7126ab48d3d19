import type { AuditLogType } from '@modelwire/schema/types';
import type { Page } from './page.ts';

/** An administrative action. */
export interface AuditEntry {
  /** Unique. */
  readonly id: string;
  readonly type: AuditLogType;
  /** Unix seconds. */
  readonly at: number;
  /** ID of the key that was used, or of the person; null for a command on the machine of the server. */
  readonly actor: string | null;
  /** Name of the person at that time; null for a key. */
  readonly actorName: string | null;
  readonly project: string | null;
  /** ID of the project, key, budget or webhook that changed. */
  readonly resource: string;
  /** The fields that were set. Never a secret. */
  readonly changes: Readonly<Record<string, unknown>>;
}

export interface AuditQuery {
  readonly after?: string | undefined;
  readonly limit: number;
  /** Unix seconds, inclusive. */
  readonly from?: number | undefined;
  /** Unix seconds, exclusive. */
  readonly to?: number | undefined;
  readonly projects?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
  readonly actors?: readonly string[] | undefined;
  /** Names of people at the time of their action. */
  readonly actorNames?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
}

/** The audit log. Entries are written by the stores whose records they are about, in the same commit; none is changed or removed. */
export interface AuditStore {
  /** Newest first. Undefined when there is no entry `after`. */
  list(query: AuditQuery): Promise<Page<AuditEntry> | undefined>;
  /** The people who have entries, by ID: a thousand at most. Their names are those of their last entries. */
  listPeople(): Promise<readonly { readonly id: string; readonly name: string }[]>;
}
