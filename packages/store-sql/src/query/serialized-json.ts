import { yieldAfterLarge } from '@modelwire/ports';

/** A value as JSON. */
export interface SerializedJson {
  readonly text: string;
  /** Its bytes in UTF-8. */
  readonly bytes: number;
}

/** Serializes a value. A large one is written and measured in a turn of the event loop each. */
export async function serialize(value: unknown): Promise<SerializedJson> {
  const text = JSON.stringify(value);
  await yieldAfterLarge(text.length);
  const bytes = Buffer.byteLength(text);
  await yieldAfterLarge(text.length);
  return { text, bytes };
}
