import type { AuditEntry } from './audit-store.ts';
import type { WebhookEvent } from './webhook-store.ts';

/** What a budget counts: tokens, or their cost in millionths of the currency of the price table. */
export const budgetUnits = ['tokens', 'cost'] as const;
export type BudgetUnit = (typeof budgetUnits)[number];
export const budgetPeriods = ['day', 'month'] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];

/** The soft limit, or the hard limit with its override. */
export type BudgetLimit = 'soft' | 'hard';

/** A key or a project. */
export interface BudgetSubject {
  readonly kind: 'key' | 'project';
  readonly id: string;
}

/** Amounts are integers in the unit of the budget. */
export interface BudgetRecord {
  /** Unique. */
  readonly id: string;
  readonly subject: BudgetSubject;
  readonly unit: BudgetUnit;
  readonly period: BudgetPeriod;
  readonly softLimit: number | null;
  readonly hardLimit: number | null;
  /** Unix seconds. */
  readonly created: number;
}

/** The current state of a budget. The period is that of the clock of the store. */
export interface BudgetState extends BudgetRecord {
  /** Replaces `hardLimit` in this period; null for none. */
  readonly overrideLimit: number | null;
  /** Amount that was settled in this period. */
  readonly spent: number;
  /** Sum of the reservations that have not expired. */
  readonly reserved: number;
  /** Unix seconds: start of this period and of the next, in UTC. */
  readonly periodStart: number;
  readonly resetsAt: number;
  /** Whether it was announced in this period that the limit was reached. A reset, or another limit, starts over. */
  readonly isAnnounced: Readonly<Record<BudgetLimit, boolean>>;
}

/** Fields that are undefined stay as they are. `overrideLimit` holds until the current period ends. */
export interface BudgetChanges {
  readonly softLimit?: number | null | undefined;
  readonly hardLimit?: number | null | undefined;
  readonly overrideLimit?: number | null | undefined;
}

/** An amount in both units: each budget counts its own. */
export type BudgetAmount = Readonly<Record<BudgetUnit, number>>;

export interface BudgetDemand {
  /** Names the reservation; unique. */
  readonly id: string;
  readonly subjects: readonly BudgetSubject[];
  /** The amount to reserve. If less is left, what is left is reserved. */
  readonly max: BudgetAmount;
  /** The request is admitted if at least this amount is left. At most `max`. */
  readonly minToAdmit: BudgetAmount;
  /** Milliseconds after which the reservation expires unless it is renewed. */
  readonly ttlMs: number;
}

export interface BudgetDecision {
  /** The budget that refused the reservation; then nothing is reserved. */
  readonly refusedBy: BudgetState | undefined;
  /** All budgets of the subjects, with this reservation. */
  readonly budgets: readonly BudgetState[];
}

/** The soft limit of a budget would be above its hard limit. */
export class BudgetLimitsError extends Error {
  override readonly name = 'BudgetLimitsError';

  constructor() {
    super('the soft limit would be above the hard limit');
  }
}

/**
 * Budgets. A request reserves before it runs and settles what it used afterwards, so that concurrent requests, on any replica, do not
 * pass a hard limit together. A reservation counts against all budgets of its subjects or, refused by one, against none.
 */
export interface BudgetStore {
  add(budget: BudgetRecord, audit?: AuditEntry): Promise<void>;
  get(id: string): Promise<BudgetState | undefined>;
  /** Of these subjects, or all, in the order they were added. */
  list(subjects?: readonly BudgetSubject[]): Promise<readonly BudgetState[]>;
  /**
   * Returns the updated budget; undefined if it does not exist.
   *
   * @throws {BudgetLimitsError} if `softLimit` or `hardLimit` is a number and the soft limit would be above the hard limit, also when the other
   * limit was changed concurrently. Nothing is changed then.
   */
  update(id: string, changes: BudgetChanges, audit?: AuditEntry): Promise<BudgetState | undefined>;
  /** Sets the amount spent in this period to 0. Returns the updated budget; undefined if it does not exist. */
  reset(id: string, audit?: AuditEntry): Promise<BudgetState | undefined>;
  /** Returns false if it does not exist. */
  delete(id: string, audit?: AuditEntry): Promise<boolean>;
  /** Atomic: concurrent reservations never receive the same remaining amount. */
  reserve(demand: BudgetDemand): Promise<BudgetDecision>;
  /**
   * Adds the used amount to the budgets of the subjects, in the current period, and removes the reservation, even if it has expired.
   * Returns the updated budgets.
   */
  settle(init: {
    readonly id: string;
    readonly subjects: readonly BudgetSubject[];
    readonly used: BudgetAmount;
  }): Promise<readonly BudgetState[]>;
  /**
   * Queues the webhook event for a limit that was reached in this period, and records that. Returns false if any replica has done so
   * before, or the period has ended.
   */
  announce(budget: Pick<BudgetState, 'id' | 'periodStart'>, limit: BudgetLimit, event: WebhookEvent): Promise<boolean>;
  /** Extends reservations to `ttlMs` from now. Expired ones are not restored. */
  renew(ids: readonly string[], ttlMs: number): Promise<void>;
  /**
   * Calls `listener` after each change of budgets by this object, before its promise resolves, so that caches can be invalidated.
   * Reservations do not count as changes. If the listener returns a promise, it is awaited.
   */
  onChange?(listener: (() => void) | (() => Promise<void>)): void;
}
