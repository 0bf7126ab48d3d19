/** What a request may be on the wire: wherever a field of `T` is optional, at any depth, null means that it is absent. */
export type NullableOptionals<T> = T extends string | number | boolean | null | undefined | Blob
  ? T
  : T extends readonly (infer Item)[]
    ? readonly NullableOptionals<Item>[]
    : string extends keyof T
      ? T
      : { [Key in keyof T]: NullableOptionals<T[Key]> | (object extends Pick<T, Key> ? null : never) };
