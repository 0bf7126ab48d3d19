import * as z from 'zod';

const remembered = z.object({ version: z.literal(1), reference: z.base64() });

/** The image that was stored with a source; undefined if another engine or version stored something else. */
export function decodeRemembered(memory: string | undefined): Uint8Array | undefined {
  if (memory === undefined) return undefined;
  try {
    const read = remembered.safeParse(JSON.parse(memory));
    return read.success ? Buffer.from(read.data.reference, 'base64') : undefined;
  } catch {
    return undefined;
  }
}
