/** The cache is cleared when it has this many keys. */
const maxKeys = 200;
/** Values with longer keys are not cached: clients choose some keys, such as the model. */
const maxKeyLength = 256;

export interface LastValueCacheOptions<Input, Value> {
  readonly create: (input: Input) => Value;
  /** Whether `create` would return an equal value for the input. */
  readonly matches: (value: Value, input: Input) => boolean;
}

/** Caches the last value for each key, such as a model: most inputs with the same key are equal. */
export class LastValueCache<Input, Value> {
  readonly #options: LastValueCacheOptions<Input, Value>;
  readonly #last = new Map<string, Value>();

  constructor(options: LastValueCacheOptions<Input, Value>) {
    this.#options = options;
  }

  get(key: string, input: Input): Value {
    const last = this.#last.get(key);
    if (last !== undefined && this.#options.matches(last, input)) return last;
    const created = this.#options.create(input);
    if (key.length > maxKeyLength) return created;
    if (last === undefined && this.#last.size >= maxKeys) this.#last.clear();
    this.#last.set(key, created);
    return created;
  }
}
