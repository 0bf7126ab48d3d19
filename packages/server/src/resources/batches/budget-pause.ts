import type { ServerContext } from '../../context.ts';
import type { RequestError } from '../../errors.ts';
import type { BatchPause } from '../../options/types.ts';
import { BudgetExceeded } from '../../limits/budgets.ts';

/** Detects when a batch starts to wait for a budget that is spent, and when it continues. */
export interface BudgetPause {
  /** Called with the reply of each line. */
  onReply(error: RequestError | undefined): void;
  /** Called when all lines that were started wait to be retried, or no longer do. */
  onWaiting(isWaiting: boolean): void;
}

export function createBudgetPause(
  { batch, project }: Pick<BatchPause, 'batch' | 'project'>,
  { onBatchPause, report }: Pick<ServerContext['options'], 'onBatchPause' | 'report'>,
): BudgetPause {
  let refusal: Pick<BatchPause, 'budget' | 'resetsAt'> | undefined;
  let isPaused = false;
  function setPaused(next: boolean): void {
    if (next === isPaused || !refusal) return;
    isPaused = next;
    try {
      onBatchPause?.({ batch, project, ...refusal, isPaused });
    } catch (error) {
      report('onBatchPause failed', error);
    }
  }
  return {
    onReply(error) {
      if (error?.cause instanceof BudgetExceeded) {
        // A budget that is reserved by running requests becomes free again soon.
        const { budget, resetsAt, isTemporary } = error.cause;
        if (!isTemporary) refusal = { budget, resetsAt };
      } else if (error?.status !== 429) {
        // Rate limits refuse a line before its budget is known.
        setPaused(false);
        refusal = undefined;
      }
    },
    onWaiting(isWaiting) {
      if (isWaiting) setPaused(true);
    },
  };
}
