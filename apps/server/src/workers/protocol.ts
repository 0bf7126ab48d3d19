import type { RateDecision, RateSubject, TokenDemand, TokenReservation } from '@modelwire/ports';
import type { ServerStats } from '@modelwire/server';
import type { TieredQueueOptions, ResolvedServiceTier } from '@modelwire/server/internal';
import type { SqliteWrite, SqliteWriteOutcome } from '@modelwire/store-sqlite/internal';
import type { MetricValues } from './primary-metrics.ts';
import type { Settings } from '../config/settings.ts';
import type { ServerSummary } from '../start/started-server.ts';

/** What the primary does for workers. */
export interface PrimaryMethods {
  /** The first call of a worker. */
  begin(argument: null): WorkerInit;
  /** From now on the worker can be called. Before, messages to it may be lost. */
  ready(argument: null): void;
  /** The worker listens. */
  started(summary: ServerSummary): void;
  /** The worker could not start and exits. */
  failed(failure: StartFailure): void;
  /** Runs a transaction on the SQLite file. */
  write(write: SqliteWrite): Promise<WriteReply>;
  /** Keys, projects or budgets have changed. Resolves when all workers have dropped their cached values. */
  accessChanged(argument: null): Promise<void>;
  /** A job was queued or changed. */
  jobQueued(argument: null): void;
  consumeRequest(subjects: readonly RateSubject[]): RateDecision | Promise<RateDecision>;
  reserveTokens(init: TokensInit): TokenReservation | Promise<TokenReservation>;
  chargeTokens(charge: TokenCharge): void;
  /** Waits for slots of an engine. Resolves with their number; 0 if the request is refused. */
  enterQueue(request: QueueRequest): number | Promise<number>;
  /** A request does not wait any more. */
  leaveQueue(request: Pick<QueueRequest, 'engine' | 'id'>): void;
  releaseSlots(slots: ReleasedSlots): void;
  /** The metrics of all processes in the text format. */
  metrics(argument: null): Promise<string>;
  /** The statistics of all workers together. */
  stats(argument: null): Promise<ServerStats>;
}

/** What workers do for the primary. */
export interface WorkerMethods {
  /** Drops the cached keys, projects and budgets. */
  accessChanged(argument: null): void;
  jobQueued(argument: null): void;
  /** Gives unused slots of the engine back, from now on each slot when its request ends. */
  reclaimSlots(engine: string): void;
  /** Keeps unused slots from now on. */
  keepSlots(engine: string): void;
  metrics(argument: null): Promise<MetricValues>;
  stats(argument: null): ServerStats;
  /** Drains and exits. */
  stop(argument: null): void;
}

export interface WorkerInit {
  /** From 1. A worker that replaces another has its number. */
  readonly id: number;
  readonly settings: Settings;
  /** Whether it runs batches, videos, background responses and deliveries of webhooks. */
  readonly runsJobs: boolean;
  /** Whether its summary is shown at startup, and it publishes the events of upstreams. */
  readonly isShown: boolean;
}

export interface StartFailure {
  readonly message: string;
  /** Whether the message is addressed to the operator. */
  readonly isConfigError: boolean;
}

export interface WriteReply {
  readonly outcome: SqliteWriteOutcome;
  /** Whether the connection failed so often that only a restart may help. */
  readonly hasFailed: boolean;
}

export interface TokensInit {
  readonly subjects: readonly RateSubject[];
  readonly demand: TokenDemand;
}

export interface TokenCharge {
  readonly subjects: readonly RateSubject[];
  readonly tokens: number;
}

export interface QueueRequest {
  /** Tells the engines of a server apart. */
  readonly engine: string;
  /** Of the request, unique in its worker. */
  readonly id: number;
  readonly tier: ResolvedServiceTier;
  readonly limits: TieredQueueOptions;
}

export interface ReleasedSlots {
  readonly engine: string;
  readonly count: number;
}
