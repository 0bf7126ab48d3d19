/**
 * Limits the number of values of a label: all values after the first `max`, and those that are not allowed, become `other`. Otherwise, values
 * that clients choose could create any number of series.
 */
export function createBoundedValues(max: number, isAllowed: (value: string) => boolean = () => true) {
  const knownValues = new Set<string>();
  return (value: string): string => {
    if (knownValues.has(value)) return value;
    if (knownValues.size >= max || !isAllowed(value)) return 'other';
    knownValues.add(value);
    return value;
  };
}
