/** `fine`; `warning`: it works, and may not one day; `wrong`: it does not work; `skipped`: it could not be looked at. */
export type Verdict = 'fine' | 'warning' | 'wrong' | 'skipped';

/** What was looked at, what was found, and what to do about it. */
export interface Check {
  readonly name: string;
  readonly verdict: Verdict;
  readonly found: string;
  readonly mend?: string;
}

export const fine = (name: string, found: string): Check => ({ name, verdict: 'fine', found });
export const warning = (name: string, found: string, mend: string): Check => ({
  name,
  verdict: 'warning',
  found,
  mend,
});
export const wrong = (name: string, found: string, mend: string): Check => ({ name, verdict: 'wrong', found, mend });
export const skipped = (name: string, found: string): Check => ({ name, verdict: 'skipped', found });
