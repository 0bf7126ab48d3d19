import { stringifyJson, yieldAfterLarge } from '@modelwire/adapter-kit/internal';

/** A value as JSON. */
export interface SerializedJson {
  readonly text: string;
  /** Its bytes in UTF-8. */
  readonly bytes: number;
}

/** Serializes a value, a large one in time slices. */
export async function serialize(value: unknown): Promise<SerializedJson> {
  const text = await stringifyJson(value);
  const bytes = Buffer.byteLength(text);
  await yieldAfterLarge(text.length);
  return { text, bytes };
}
