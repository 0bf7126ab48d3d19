import type { Check } from './check.ts';
import type { Settings } from './options.ts';
import type { CheckResult, Outcome } from './report.ts';

/** The results of a run as they arrive. */
export interface Results {
  /** Adds the result of a check, and passes it on if it is final: earlier observations are judged again. */
  add(result: CheckResult, options?: { readonly isFinal: boolean }): void;
  /** Runs a check and adds its result; meanwhile the check is one of those that the progress names. */
  follow(check: Check, run: () => Promise<CheckResult>): Promise<void>;
  /** In the order of the report. */
  all(): readonly CheckResult[];
}

/** `onThrow` is called once, with what a function of the caller has thrown; then none is called anymore. */
export function collectResults(
  { checks, earlier }: { readonly checks: readonly Check[]; readonly earlier: number },
  { expectedFailures, onResult, onProgress }: Pick<Settings, 'expectedFailures' | 'onResult' | 'onProgress'>,
  onThrow: (error: unknown) => void,
): Results {
  const results = new Map<string, CheckResult>();
  const failed = new Set<string>();
  const running = new Set<string>();
  let hasThrown = false;

  function notify(callback: () => void): void {
    if (hasThrown) return;
    try {
      callback();
    } catch (error) {
      hasThrown = true;
      onThrow(error);
    }
  }

  function notifyProgress(): void {
    const counts = { done: results.size, total: checks.length, failed: failed.size, earlier };
    notify(() => onProgress({ ...counts, running: [...running] }));
  }

  function add(decided: CheckResult, { isFinal } = { isFinal: true }): void {
    const expectedFailure = expectedFailures.get(decided.id);
    const latest = { ...decided, ...(expectedFailure !== undefined && { expectedFailure }) };
    const result = worstOf(latest, results.get(latest.id));
    results.set(result.id, result);
    if (isUnexpectedFailure(result)) failed.add(result.id);
    if (isFinal) notify(() => onResult(result));
  }

  return {
    add,
    async follow(check, run) {
      running.add(check.id);
      notifyProgress();
      const result = await run();
      running.delete(check.id);
      add(result);
      notifyProgress();
    },
    all: () => checks.flatMap(({ id }) => results.get(id) ?? []),
  };
}

const isUnexpectedFailure = ({ outcome, expectedFailure }: CheckResult): boolean =>
  (outcome === 'fail' || outcome === 'error') && expectedFailure === undefined;

const SEVERITY: Readonly<Record<Outcome, number>> = { skipped: 0, pass: 1, error: 2, fail: 3 };

/** Of the results of one check that judged the requests of different parts, the one that found most. */
export const worstOf = <Result extends Pick<CheckResult, 'outcome'>>(
  result: Result,
  earlier: Result | undefined,
): Result => (earlier && SEVERITY[earlier.outcome] > SEVERITY[result.outcome] ? earlier : result);
