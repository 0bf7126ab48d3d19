/** All values are discarded when there are this many keys. */
const maxKeys = 200;
/** Values with longer keys are not kept: clients choose some keys, such as the model. */
const maxKeyLength = 256;
/** The number of values that are kept for a key, such as the outcomes of the requests for one model. */
const maxValuesPerKey = 8;

export interface SharedValuesOptions<Input, Value> {
  /** @param input Kept with the value, so it must not refer to large values. */
  readonly create: (input: Input) => Value;
  /** Whether `create` would return equal values for two inputs with the same key. */
  readonly isSame: (first: Input, second: Input) => boolean;
}

interface Entry<Input, Value> {
  readonly input: Input;
  readonly value: Value;
}

/** Returns the same value for equal inputs, most of which recur. Inputs are compared, because a key that contains all of them takes longer to build. */
export class SharedValues<Input, Value> {
  readonly #options: SharedValuesOptions<Input, Value>;
  readonly #entries = new Map<string, Entry<Input, Value>[]>();

  constructor(options: SharedValuesOptions<Input, Value>) {
    this.#options = options;
  }

  get(key: string, input: Input): Value {
    const { create, isSame } = this.#options;
    const entries = this.#entries.get(key);
    if (entries) {
      for (const entry of entries) if (isSame(entry.input, input)) return entry.value;
    }
    const value = create(input);
    if (key.length > maxKeyLength) return value;
    if (entries === undefined) {
      if (this.#entries.size >= maxKeys) this.#entries.clear();
      this.#entries.set(key, [{ input, value }]);
      return value;
    }
    if (entries.length >= maxValuesPerKey) entries.shift();
    entries.push({ input, value });
    return value;
  }
}
