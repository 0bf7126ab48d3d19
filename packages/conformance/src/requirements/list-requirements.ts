import { allChecks } from '../plan.ts';
import { sourceOf } from './find-requirement.ts';
import { requirements } from './requirements.ts';

/** A requirement with the number of its checks. */
export interface RequirementSummary {
  readonly id: string;
  readonly text: string;
  /** The number of its checks by the month of the public specification that introduced them; `none` for extensions. */
  readonly checks: Readonly<Record<string, number>>;
  /** Why it has no checks. */
  readonly untestable: string | undefined;
}

/** All requirements of the suite, with those that cannot be tested. */
export function listRequirements(): readonly RequirementSummary[] {
  const sources = allChecks().map(({ id }) => sourceOf(id));
  return requirements.map(({ id, text, untestable }) => {
    const checks: Record<string, number> = {};
    for (const { requirement, since } of sources) {
      if (requirement === id) checks[since ?? 'none'] = (checks[since ?? 'none'] ?? 0) + 1;
    }
    return { id, text, checks, untestable };
  });
}
