import type { Check, Phase } from './check.ts';

/** Runs checks phase by phase. In a phase, they start in the order of the report: equal runs start equal checks in the same order. */
export async function runInPhases(
  checks: readonly Check[],
  concurrency: number,
  run: (check: Check) => Promise<void>,
): Promise<void> {
  const inPhase = (phase: Phase): readonly Check[] => checks.filter((check) => check.phase === phase);
  // Jobs run while other checks do.
  const queue = [...inPhase('together'), ...inPhase('jobs')].values();
  const worker = async (): Promise<void> => {
    for (const check of queue) await run(check);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  for (const check of [...inPhase('alone'), ...inPhase('observations')]) await run(check);
}
