import { createBoundedMap, createSemaphore } from '@modelwire/adapter-kit';
import type { Release } from '@modelwire/adapter-kit';
import type { Clock } from '@modelwire/ports';
import type { ResolvedScalarOptions } from '../options/resolve-scalar.ts';
import { createAdaptiveLimit, initialLimit } from './adaptive-limit.ts';
import type { AdaptiveLimit, LineOutcome } from './adaptive-limit.ts';
import type { TieredQueue } from './tiered-queue.ts';

/** Limits how many lines of all batches this server runs at once, for each model. */
export interface LineSlots {
  /** @param name As in a request. Models that are not known have slots together. */
  of(name: unknown): ModelSlots;
}

export interface ModelSlots {
  /** Lines that may run at once now. */
  readonly limit: number;
  /** Lines that wait for a slot. */
  readonly waiting: number;
  /** Waits for a slot. Projects have equal shares, and within a project the batch that expires first goes first. */
  acquire(line: WaitingLine): Promise<Release>;
  /** A line is sent to its endpoint. Call the returned function once, with its result. */
  startLine(): (outcome: LineOutcome) => void;
  /** An interactive request arrived. Call the returned function with the milliseconds until its first token. */
  startInteractive(): (firstTokenMs: number) => void;
  /** Whether requests wait for the engine of the model. */
  readonly isContended: boolean;
}

interface WaitingLine {
  readonly signal: AbortSignal;
  readonly project: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

interface FoundModel {
  readonly id: string;
  readonly queue: Pick<TieredQueue, 'concurrency' | 'isContended'>;
}

interface LineSlotsInit {
  /** `auto`: as many as the engine can do besides other requests. */
  readonly concurrency: number | 'auto';
  readonly find: (name: string) => FoundModel | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Models whose limits are remembered. An upstream may serve any number. */
const maxModels = 1000;
/** Lines at once of models that are not known, such as those of an upstream that could not be asked. */
const maxOfUnknown = 16;

/** Lines of a model at once before anything is known about it. */
export function firstConcurrency({ batchConcurrency }: Pick<ResolvedScalarOptions, 'batchConcurrency'>): number {
  return batchConcurrency === 'auto' ? initialLimit : batchConcurrency;
}

export function createLineSlots({ concurrency, find, clock }: LineSlotsInit): LineSlots {
  const models = createBoundedMap<string, ModelSlots>(maxModels);
  return {
    of(name) {
      const found = typeof name === 'string' ? find(name) : undefined;
      const key = found?.id ?? '';
      let slots = models.get(key);
      if (!slots) models.set(key, (slots = createModelSlots(concurrency, found?.queue, clock)));
      return slots;
    },
  };
}

function createModelSlots(
  concurrency: number | 'auto',
  queue: FoundModel['queue'] | undefined,
  clock: Pick<Clock, 'monotonic'>,
): ModelSlots {
  const limit: AdaptiveLimit =
    concurrency === 'auto'
      ? createAdaptiveLimit({
          max: queue?.concurrency ?? maxOfUnknown,
          clock,
          onChange: (permits) => semaphore.setPermits(permits),
        })
      : fixedLimit(concurrency);
  const semaphore = createSemaphore(limit.current);
  return {
    get limit() {
      return limit.current;
    },
    get waiting() {
      return semaphore.waiting;
    },
    acquire: ({ signal, project, expiresAt }) => semaphore.acquire(signal, project, expiresAt),
    startLine: () => limit.startLine(),
    startInteractive: () => limit.startInteractive(),
    get isContended() {
      return queue?.isContended === true;
    },
  };
}

function fixedLimit(current: number): AdaptiveLimit {
  const ignored = (): void => undefined;
  return { current, startLine: () => ignored, startInteractive: () => ignored };
}
