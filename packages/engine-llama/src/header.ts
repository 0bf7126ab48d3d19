import { open } from 'node:fs/promises';
import { LlamaSetupError } from './setup-error.ts';

/** More tensors or fields than any model has. */
const most = 1_000_000n;

/**
 * Validates the first 24 bytes of a file. node-llama-cpp reads as many fields as the file declares, beyond its end, and for
 * minutes if the header is garbage.
 */
export async function checkHeader(path: string): Promise<void> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(24), 0, 24, 0);
    const isModel =
      bytesRead === 24 &&
      buffer.toString('latin1', 0, 4) === 'GGUF' &&
      [2, 3].includes(buffer.readUInt32LE(4)) &&
      buffer.readBigUInt64LE(8) <= most &&
      buffer.readBigUInt64LE(16) <= most;
    if (!isModel) throw new LlamaSetupError('it is not a GGUF file of version 2 or 3');
  } finally {
    await file.close();
  }
}
