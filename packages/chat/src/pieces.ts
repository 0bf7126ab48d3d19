/** A JSON object of unknown make. */
export type Fields = Record<string, unknown>;

/** Strings that come whole, with the first piece or with each; all others of a delta are pieces. */
const WHOLE = new Set(['id', 'name', 'role', 'type']);

/**
 * Adds a delta to what came before it: strings are appended, lists extended, objects merged, all else replaced. Null says
 * nothing where something came.
 */
export function addPieces(into: Fields, pieces: Fields): void {
  for (const [key, piece] of fieldsOf(pieces)) {
    const before = into[key];
    // Assigning it would set the object's prototype, and the next piece would write into that.
    if (key === '__proto__') continue;
    if (piece === null) into[key] ??= null;
    else if (typeof piece === 'string') {
      if (typeof before !== 'string') into[key] = piece;
      else if (!WHOLE.has(key)) into[key] = before + piece;
      else if (piece !== '') into[key] = piece;
    } else if (Array.isArray(piece)) {
      if (Array.isArray(before)) for (const item of piece) before.push(item);
      else into[key] = [...(piece as unknown[])];
    } else if (isFields(piece)) {
      const inner: Fields = isFields(before) ? before : {};
      into[key] = inner;
      addPieces(inner, piece);
    } else into[key] = piece;
  }
}

/** A copy that later pieces do not reach: they change objects and extend lists, but never change what is in a list. */
export function copyFields(fields: Fields): Fields {
  return Object.fromEntries(
    fieldsOf(fields).map(([key, value]) => {
      if (Array.isArray(value)) return [key, value.slice()];
      return [key, isFields(value) ? copyFields(value) : value];
    }),
  );
}

export function fieldsOf(value: object): [string, unknown][] {
  return Object.entries(value);
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
