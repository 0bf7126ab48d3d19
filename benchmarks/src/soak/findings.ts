/** Findings, and the number of responses by status and code. */
export interface Findings {
  /** Counts an outcome that is not a finding. */
  count(outcome: string): void;
  add(what: string, example: string): void;
  readonly outcomes: ReadonlyMap<string, number>;
  readonly all: ReadonlyMap<string, { readonly times: number; readonly example: string }>;
}

export function createFindings(): Findings {
  const outcomes = new Map<string, number>();
  const all = new Map<string, { times: number; example: string }>();
  return {
    outcomes,
    all,
    count: (outcome) => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1),
    add(what, example) {
      const known = all.get(what);
      if (known) known.times++;
      else all.set(what, { times: 1, example });
    },
  };
}
