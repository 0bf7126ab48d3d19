/** A value of a response: one of the names known today, or one that a newer server knows. Editors still offer the known ones. */
export type Open<Known extends string> = Known | (string & {});
