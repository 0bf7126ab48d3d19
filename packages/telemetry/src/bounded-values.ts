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
