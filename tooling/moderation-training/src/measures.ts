/** How well scores separate positive from negative examples. */
export interface Measures {
  readonly auc: number;
  readonly precision: number;
  readonly recall: number;
  readonly positives: number;
  readonly negatives: number;
}

export interface ScoredExample {
  readonly score: number;
  readonly shows: boolean;
}

export function measure(examples: readonly ScoredExample[], threshold: number): Measures {
  const positives = examples.filter(({ shows }) => shows).length;
  const flagged = examples.filter(({ score }) => score >= threshold);
  const right = flagged.filter(({ shows }) => shows).length;
  return {
    auc: auc(examples),
    precision: right / flagged.length,
    recall: right / positives,
    positives,
    negatives: examples.length - positives,
  };
}

/** Area under the ROC curve: how often a positive example scores higher than a negative one; a tie counts half. */
export function auc(examples: readonly ScoredExample[]): number {
  const sorted = examples.toSorted((a, b) => a.score - b.score);
  let ranks = 0;
  for (let from = 0; from < sorted.length;) {
    let to = from;
    while (to < sorted.length && sorted[to]?.score === sorted[from]?.score) to++;
    for (let i = from; i < to; i++) if (sorted[i]?.shows === true) ranks += (from + to + 1) / 2;
    from = to;
  }
  const positives = sorted.filter(({ shows }) => shows).length;
  return (ranks - (positives * (positives + 1)) / 2) / (positives * (sorted.length - positives));
}
