/** Up to 16 pairs; keys of at most 64 characters, values of at most 512 (API: Limits). */
export type Metadata = Record<string, string>;
