import { toCount } from '@modelwire/adapter-kit/internal';
import type { Release } from '@modelwire/adapter-kit';
import type { GenerationObservation } from '@modelwire/ports';
import type { Call } from '../call.ts';
import type { ServerContext } from '../context.ts';
import type { SettleBudgets } from '../limits/budgets.ts';
import type { ByteReservation } from '../limits/byte-budget.ts';
import { assertModelAllowed } from '../limits/policies.ts';
import type { Policy } from '../limits/policies.ts';
import { chargeTokens, reserveFromRateLimits } from './rate-limit.ts';
import { budgetAmounts } from './amounts.ts';
import type { Access, FoundModel, LoadedWork, Slot, Work } from './work.ts';

/** The call whose work is admitted. */
export type AdmittedCall = Pick<
  Call<unknown>,
  'client' | 'logRecord' | 'observation' | 'principal' | 'responseHeaders' | 'batchLine'
>;

/** Work that was admitted. It has to be ended, once; further calls of `end` have no effect. */
export interface Admission<Loaded extends LoadedWork> {
  readonly loaded: Loaded;
  /** Undefined if nothing is observed. */
  readonly observation: GenerationObservation | undefined;
  /** Notes that the work reached those who do it: a client that leaves afterwards is charged for it. Work with a slot has reached its engine. */
  reach(): void;
  /** Notes that the work failed. Only the first error counts. */
  fail(error: unknown): void;
  /** Meters, charges and observes what the work used, and releases what it held, also after an abort. */
  end(): void;
}

/**
 * Admits work, in one order: policy, model, storage quota, inputs and their memory, rate limits, budgets, inspection of the inputs, slot.
 * (Limits follow the inputs, since their tokens are known only then.) What was reserved is released if a step refuses the work. A batch line with
 * a reply of an upstream is charged whatever the limits, and needs no slot; one that is prepared for an upstream reaches no engine.
 *
 * @throws what a step throws: a 403 or 404 for the model, a 400 for the request, a 429 or 503 where a limit is reached.
 */
export async function admit<Found extends FoundModel, Loaded extends LoadedWork>(
  call: AdmittedCall,
  server: ServerContext,
  work: Work<Found, Loaded>,
): Promise<Admission<Loaded>> {
  const policy = await server.policies.get(call.principal);
  const state = new AdmissionState(call, server, policy);
  try {
    const found = await work.find(state);
    const { model } = found;
    assertModelAllowed(policy, [model.requested ?? model.id, model.id]);
    if (model.requested !== undefined) call.logRecord.model ??= model.id;
    if (work.isStored) await server.storageQuota.assertHasSpace(call.principal);
    const loaded = await work.load(found, state);
    await state.reserve(model, loaded);
    const inspected = await work.inspect(loaded, state);
    const slot = work.slot(inspected);
    if (slot && call.batchLine?.exchange?.isReplied !== false) await state.enter(slot);
    return state.admitted(inspected);
  } catch (error) {
    state.fail(error);
    state.end();
    throw error;
  }
}

/** Runs admitted work and ends it. */
export async function runAdmitted<Loaded extends LoadedWork, Result>(
  admission: Admission<Loaded>,
  run: (loaded: Loaded) => Promise<Result>,
): Promise<Result> {
  try {
    return await run(admission.loaded);
  } catch (error) {
    admission.fail(error);
    throw error;
  } finally {
    admission.end();
  }
}

const isReplied = ({ batchLine }: AdmittedCall): boolean => batchLine?.exchange?.isReplied === true;
const withoutSlot = { release: (): void => undefined, queuedMs: 0 };

/** What work holds while it is admitted and while it runs. */
class AdmissionState implements Access {
  readonly policy: Policy;
  readonly memory: ByteReservation;
  readonly #call: AdmittedCall;
  readonly #server: ServerContext;
  #model: FoundModel['model'] | undefined;
  #loaded: LoadedWork | undefined;
  #reservedTokens = 0;
  #settleBudgets: SettleBudgets | undefined;
  #slot: Slot | undefined;
  #releaseSlot: Release | undefined;
  #observation: GenerationObservation | undefined;
  #isAdmitted = false;
  #isReached = false;
  #failure: { readonly error: unknown; readonly hadLeft: boolean } | undefined;
  #hasEnded = false;
  readonly #startedAt = performance.now();

  constructor(call: AdmittedCall, server: ServerContext, policy: Policy) {
    this.#call = call;
    this.#server = server;
    this.memory = server.bodyMemory.reserve();
    this.policy = policy;
  }

  /** Reserves what the work may use from rate limits and budgets. */
  async reserve(model: FoundModel['model'], loaded: LoadedWork): Promise<void> {
    this.#model = model;
    this.#loaded = loaded;
    const { demand } = loaded;
    const { options, prices, budgets } = this.#server;
    if (isReplied(this.#call)) {
      this.#settleBudgets = budgets.charge(this.policy.budgetSubjects);
      return;
    }
    if (demand.kind === 'tokens') {
      this.#reservedTokens = await reserveFromRateLimits(options.rateLimiter, this.#call, demand);
    }
    if (this.policy.budgetSubjects.length === 0) return;
    const amounts = budgetAmounts(demand, model.id, this.policy, prices);
    this.#settleBudgets = await budgets.reserve(this.#call, this.policy.budgetSubjects, amounts);
  }

  async enter(slot: Slot): Promise<void> {
    const { engine, tier, observed } = slot;
    if (tier !== 'flex' && observed.isStreamed && this.#loaded) {
      const startedAt = performance.now();
      const onFirstToken = this.#server.lineSlots.of(observed.model).startInteractive();
      this.#loaded.usage.onFirstToken = (at) => onFirstToken(at - startedAt);
    }
    const { release, queuedMs } = isReplied(this.#call) ? withoutSlot : await waitForSlot(slot, this.#call);
    this.#slot = slot;
    this.#releaseSlot = release;
    this.#isReached = true;
    this.#observation = this.#call.observation?.startGeneration({
      ...observed,
      engine: engine.name,
      isRemote: engine.isRemote === true,
      project: this.#call.principal.project,
      queuedMs,
    });
  }

  admitted<Loaded extends LoadedWork>(loaded: Loaded): Admission<Loaded> {
    this.#isAdmitted = true;
    return {
      loaded,
      observation: this.#observation,
      reach: () => void (this.#isReached = true),
      fail: (error) => this.fail(error),
      end: () => this.end(),
    };
  }

  fail(error: unknown): void {
    this.#failure ??= { error, hadLeft: this.#call.client.reason !== undefined };
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    try {
      this.#account();
    } finally {
      // Also if an engine or an observer of a user throws.
      this.#releaseSlot?.();
      this.memory.release();
    }
  }

  #account(): void {
    const { logRecord, principal, client } = this.#call;
    const { prices, meter } = this.#server;
    if (!this.#loaded || !this.#model) return;
    const { usage: workUsage, demand } = this.#loaded;
    // The engine does not stop at once when the client leaves. (A client whose body arrives too slowly never gets there.)
    const wasLeft = this.#isReached && (this.#failure?.hadLeft ?? client.reason !== undefined);
    if (wasLeft) workUsage.countPrompt();
    const usage = this.#isAdmitted ? workUsage.current : undefined;
    const tokens = usage?.total_tokens ?? 0;
    if (usage) logRecord.usage = usage;
    const firstTokenAt = this.#slot?.outcome().firstTokenAt;
    if (firstTokenAt !== undefined) logRecord.firstTokenMs = Math.round(firstTokenAt - this.#startedAt);
    if (usage && workUsage.isEstimated) logRecord.usageIsEstimated = true;
    // Work that failed is counted only if it used something.
    const isUsed = this.#isAdmitted && (this.#failure === undefined || wasLeft || tokens > 0);
    const model = meteredName(this.#model);
    const price = demand.kind === 'cost' ? demand.cost : prices.costOf(model, usage);
    const cost = isUsed ? (price ?? 0) : 0;
    if (isUsed) meter.count(principal, model, usage, cost);
    chargeTokens(this.#server, principal, tokens - this.#reservedTokens);
    this.#settleBudgets?.({ tokens: toCount(tokens), cost });
    // Engines throw errors of their own when the client disconnects.
    const error = this.#failure && (client.hasDisconnected ? client.reason : this.#failure.error);
    if (!this.#slot) return;
    this.#observation?.end({ ...this.#slot.outcome(), usage, error });
  }
}

/** The name at the end. While it is unknown which models there are, the one with which the work was admitted. */
function meteredName({ id, metered }: FoundModel['model']): string {
  try {
    return metered();
  } catch {
    return id;
  }
}

/**
 * Waits for a slot at an engine, and records how long that took.
 *
 * @throws a 503 when too many wait or it took too long, and the reason of a client that disconnected.
 */
async function waitForSlot(
  { queue, engine, tier }: Slot,
  { client, logRecord, observation }: AdmittedCall,
): Promise<{ readonly release: Release; readonly queuedMs: number }> {
  client.signal.throwIfAborted();
  const free = queue.tryAcquire();
  if (free) return { release: free, queuedMs: 0 };
  const startedAt = performance.now();
  const wait = observation?.startQueueWait({ engine: engine.name });
  let error: unknown;
  try {
    const release = await queue.acquire(tier, client.signal);
    return { release, queuedMs: performance.now() - startedAt };
  } catch (thrown) {
    error = thrown;
    throw thrown;
  } finally {
    wait?.end({ error });
    logRecord.queuedMs = (logRecord.queuedMs ?? 0) + Math.round(performance.now() - startedAt);
  }
}
