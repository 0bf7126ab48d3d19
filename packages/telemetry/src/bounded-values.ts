/**
 * Limits the values of a label: values beyond the first `max` become `other`. A label whose values come from clients would otherwise make
 * any number of series.
 */
export function createBoundedValues(max: number, isAllowed: (value: string) => boolean = () => true) {
  const known = new Set<string>();
  return (value: string): string => {
    if (known.has(value)) return value;
    if (known.size >= max || !isAllowed(value)) return 'other';
    known.add(value);
    return value;
  };
}
