import { patternTest } from './pattern.ts';
import { requirements } from './requirements.ts';
import { specMonthOf } from './spec-dates.ts';

const tests = requirements.map(({ id, checks }) => ({ requirement: id, matches: patternTest(checks) }));

/** The requirement that a check tests, and the month of the public specification that introduced it. */
export interface CheckSource {
  /** A number of the list of requirements. */
  readonly requirement: string;
  /** `2025-06` also stands for what is older; null if it is not part of the specification. */
  readonly since: string | null;
}

export function sourceOf(checkId: string): CheckSource {
  const found = tests.find(({ matches }) => matches(checkId));
  if (!found) throw new Error(`No requirement in requirements.ts matches the check ${checkId}`);
  const { requirement } = found;
  return { requirement, since: requirement.startsWith('EXT-') ? null : specMonthOf(checkId) };
}

/** Whether the specification of a month has what a check tests. */
export function isInSpec(checkId: string, spec: string): boolean {
  if (spec === 'latest') return true;
  const { since } = sourceOf(checkId);
  return since !== null && since <= spec;
}
