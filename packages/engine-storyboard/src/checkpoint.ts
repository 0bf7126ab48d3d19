import * as z from 'zod';

const checkpointSchema = z.object({ version: z.literal(1), reference: z.base64() });

/** The reference image in a checkpoint; undefined for a checkpoint of another engine or version. */
export function decodeCheckpoint(checkpoint: string | undefined): Uint8Array | undefined {
  if (checkpoint === undefined) return undefined;
  try {
    const read = checkpointSchema.safeParse(JSON.parse(checkpoint));
    return read.success ? Buffer.from(read.data.reference, 'base64') : undefined;
  } catch {
    return undefined;
  }
}
