const maxKeys = 200;
/** Longer keys are not kept, because clients can choose parts of them. */
const maxKeyLength = 256;

export interface RecentValuesOptions<Input, Value> {
  readonly create: (input: Input) => Value;
  /** Whether `create` would return an equal value for the input. */
  readonly isSame: (value: Value, input: Input) => boolean;
}

/** Keeps the last value for each key, such as that of each model: most inputs equal the one before. */
export class RecentValues<Input, Value> {
  readonly #options: RecentValuesOptions<Input, Value>;
  readonly #last = new Map<string, Value>();

  constructor(options: RecentValuesOptions<Input, Value>) {
    this.#options = options;
  }

  get(key: string, input: Input): Value {
    const last = this.#last.get(key);
    if (last !== undefined && this.#options.isSame(last, input)) return last;
    const created = this.#options.create(input);
    if (key.length > maxKeyLength) return created;
    if (last === undefined && this.#last.size >= maxKeys) this.#last.clear();
    this.#last.set(key, created);
    return created;
  }
}
