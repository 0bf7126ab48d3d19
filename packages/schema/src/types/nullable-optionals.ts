/** The type of a request on the wire: each optional field of `T`, at any depth, may be null, which means that it is absent. */
export type NullableOptionals<T> = T extends string | number | boolean | null | undefined | Blob
  ? T
  : T extends readonly (infer Item)[]
    ? readonly NullableOptionals<Item>[]
    : string extends keyof T
      ? T
      : { [Key in keyof T]: NullableOptionals<T[Key]> | (object extends Pick<T, Key> ? null : never) };
