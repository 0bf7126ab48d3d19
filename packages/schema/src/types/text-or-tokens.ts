/** A text, several texts, the token IDs of a text, or those of several texts. */
export type TextOrTokens = string | readonly string[] | readonly number[] | readonly (readonly number[])[];
