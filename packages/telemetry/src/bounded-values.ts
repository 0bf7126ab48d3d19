/**
 * Limits the values of a label: values beyond the first `max` become `other`. A label whose values come from clients would otherwise make
 * any number of series.
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
