export interface BoundedValuesInit {
  /** The maximum number of values, without the reserved ones. */
  readonly max: number;
  /** Values that are always kept. Default: none. */
  readonly reserved?: readonly string[];
  /** Whether a value that is not reserved may be kept. Default: every value. */
  readonly isAllowed?: (value: string) => boolean;
}

/**
 * Limits the number of values of a label: all values after the first `max`, and those that are not allowed, become `other`. Otherwise, values
 * that clients or upstreams choose could create any number of series.
 */
export function createBoundedValues({ max, reserved = [], isAllowed = () => true }: BoundedValuesInit) {
  const knownValues = new Set(reserved);
  const maxSize = knownValues.size + max;
  return (value: string): string => {
    if (knownValues.has(value)) return value;
    if (knownValues.size >= maxSize || !isAllowed(value)) return 'other';
    knownValues.add(value);
    return value;
  };
}

/**
 * Limits the number of combinations of labels, for metrics with several of them: in all combinations after the first `max`, each label is `other`.
 */
export function createBoundedLabels(max = 5000) {
  const known = new Set<string>();
  return (labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
    const key = Object.values(labels).join('\n');
    if (known.has(key)) return labels;
    if (known.size >= max) return Object.fromEntries(Object.keys(labels).map((name) => [name, 'other']));
    known.add(key);
    return labels;
  };
}
