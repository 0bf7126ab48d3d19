/** All values are discarded when another key would exceed this number. */
const maxKeys = 200;
/** Values with longer keys are not kept: clients choose some keys, such as the model. */
const maxKeyLength = 256;
/** The number of values that are kept for a key, such as the outcomes of the requests of a project. */
const maxValuesPerKey = 32;

export interface BoundedCacheOptions<Input, Value> {
  /** @param input Kept with the value, so it must not refer to large values. */
  readonly create: (input: Input) => Value;
  /** Whether `create` returns equal values for two inputs with the same key. */
  readonly isSame: (first: Input, second: Input) => boolean;
}

interface Entry<Input, Value> {
  readonly input: Input;
  readonly value: Value;
}

/**
 * Usually returns the same value for equal inputs, most of which recur. Values can be discarded at any time. Inputs are compared, because to build a
 * key that contains all of them takes longer.
 */
export class BoundedCache<Input, Value> {
  readonly #options: BoundedCacheOptions<Input, Value>;
  readonly #entries = new Map<string, Entry<Input, Value>[]>();

  constructor(options: BoundedCacheOptions<Input, Value>) {
    this.#options = options;
  }

  get(key: string, input: Input): Value {
    const { create, isSame } = this.#options;
    const entries = this.#entries.get(key) ?? [];
    // By index: `entries()` creates an array for each item.
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[index];
      if (!entry || !isSame(entry.input, input)) continue;
      moveForward(entries, index);
      return entry.value;
    }
    const value = create(input);
    if (key.length > maxKeyLength) return value;
    if (entries.length === 0) {
      if (this.#entries.size >= maxKeys) this.#entries.clear();
      this.#entries.set(key, entries);
    } else if (entries.length >= maxValuesPerKey) entries.pop();
    entries.push({ input, value });
    return value;
  }
}

/** Swaps an item with the one before it, so that the items that are used most often come first. */
function moveForward(items: unknown[], index: number): void {
  const item = items[index];
  const previous = items[index - 1];
  if (item === undefined || previous === undefined) return;
  items[index - 1] = item;
  items[index] = previous;
}
