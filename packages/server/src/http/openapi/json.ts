/** A JSON object of the OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;
