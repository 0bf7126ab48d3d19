/** A JSON object with unknown fields. */
export type Fields = Record<string, unknown>;

/** String fields that are complete in a delta. All others are appended. */
const COMPLETE_STRINGS = new Set(['id', 'name', 'role', 'type']);

/**
 * Merges a delta into the value so far: strings are appended, arrays extended, objects merged, everything else is replaced. Null does not
 * replace a value.
 */
export function mergeDelta(target: Fields, delta: Fields): void {
  for (const [key, piece] of definedEntries(delta)) {
    const before = target[key];
    // Assigning it would set the prototype of the object, and the next delta would write into that.
    if (key === '__proto__') continue;
    if (piece === null) target[key] ??= null;
    else if (typeof piece === 'string') {
      if (typeof before !== 'string') target[key] = piece;
      else if (!COMPLETE_STRINGS.has(key)) target[key] = before + piece;
      else if (piece !== '') target[key] = piece;
    } else if (Array.isArray(piece)) {
      if (Array.isArray(before)) for (const item of piece) before.push(item);
      else target[key] = [...(piece as unknown[])];
    } else if (isFields(piece)) {
      const inner: Fields = isFields(before) ? before : {};
      target[key] = inner;
      mergeDelta(inner, piece);
    } else target[key] = piece;
  }
}

/** A copy that later deltas do not change: they change objects and extend arrays, but never change items of an array. */
export function copyFields(fields: Fields): Fields {
  return Object.fromEntries(
    definedEntries(fields).map(([key, value]) => {
      if (Array.isArray(value)) return [key, value.slice()];
      return [key, isFields(value) ? copyFields(value) : value];
    }),
  );
}

export function definedEntries(value: object): [string, unknown][] {
  return Object.entries(value);
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
