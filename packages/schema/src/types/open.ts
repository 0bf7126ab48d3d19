/** An enum in a response: a known value, or any other string of a newer server. Editors complete the known values. */
export type Open<Known extends string> = Known | (string & {});

/** The known values of an enum in a response. */
export type Known<Value> = Value extends string ? (string extends Value ? never : Value) : never;
