/** An enum in a response: a known value, or any other string of a newer server. Editors complete the known values. */
export type Open<Known extends string> = Known | (string & {});
