import type { BudgetLimit, BudgetState, BudgetStore, Clock, KeyStore } from '@modelwire/ports';
import { nowInSeconds } from '../clock.ts';
import type { CreateId } from '../ids.ts';

interface BudgetEventsInit {
  readonly budgets: BudgetStore;
  readonly keys: KeyStore;
  /** Called after an event was queued. */
  readonly onPublished: () => void;
  readonly report: (what: string, error: unknown) => void;
  readonly clock: Pick<Clock, 'now'>;
  readonly createId: CreateId;
}

/** Publishes, once in each period, that a limit of a budget was reached. */
export interface BudgetEvents {
  /** @param refusedBy The budget that refused a request: its hard limit counts as reached when nine tenths of it are spent. */
  check(budgets: readonly BudgetState[], refusedBy?: BudgetState): void;
  /** Resolves when all events are queued, as far as possible. */
  flush(): Promise<void>;
}

/** Part of a hard limit that must be spent for a refused request to mean that the limit is reached. */
const refusalShare = 0.9;

export function createBudgetEvents({
  budgets: store,
  keys,
  onPublished,
  report,
  clock,
  createId,
}: BudgetEventsInit): BudgetEvents {
  const publishing = new Map<string, Promise<void>>();

  async function publish(state: BudgetState, limit: BudgetLimit, amount: number): Promise<void> {
    const { id, subject, unit, period, spent, resetsAt } = state;
    const keyId = subject.kind === 'key' ? subject.id : null;
    const project = keyId === null ? subject.id : ((await keys.get(keyId))?.project ?? null);
    const event = {
      id: createId('evt_'),
      type: `budget.${limit}_limit_reached`,
      project,
      created: nowInSeconds(clock),
      data: { id, project_id: project, api_key_id: keyId, unit, period, limit: amount, spent, resets_at: resetsAt },
    };
    if (await store.announce(state, limit, event)) onPublished();
  }
  function startPublishing(state: BudgetState, limit: BudgetLimit, amount: number): void {
    const key = `${limit} ${state.id}`;
    if (publishing.has(key)) return;
    const publication = publish(state, limit, amount)
      .catch((error: unknown) => report('the event of a budget was not published', error))
      .finally(() => publishing.delete(key));
    publishing.set(key, publication);
  }
  return {
    check(budgets, refusedBy) {
      for (const state of budgets) {
        const { softLimit, spent, isAnnounced } = state;
        if (softLimit !== null && spent >= softLimit && !isAnnounced.soft) startPublishing(state, 'soft', softLimit);
        const hardLimit = state.overrideLimit ?? state.hardLimit;
        if (hardLimit === null || isAnnounced.hard) continue;
        // A request that is far too large for what is left does not mean that the budget is used up.
        const isNearLimit = state.id === refusedBy?.id && spent >= refusalShare * hardLimit;
        if (spent >= hardLimit || isNearLimit) startPublishing(state, 'hard', hardLimit);
      }
    },
    async flush() {
      await Promise.all(publishing.values());
    },
  };
}
