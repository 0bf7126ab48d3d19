import { open } from 'node:fs/promises';
import { LlamaSetupError } from './setup-error.ts';

/** An upper limit on the number of tensors and of metadata fields. */
const maxCount = 1_000_000n;

/**
 * Validates the first 24 bytes of a file. node-llama-cpp would read as many fields as an invalid header declares, beyond the end of the file
 * and for minutes.
 */
export async function checkGgufHeader(path: string): Promise<void> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(24), 0, 24, 0);
    const isModel =
      bytesRead === 24 &&
      buffer.toString('latin1', 0, 4) === 'GGUF' &&
      [2, 3].includes(buffer.readUInt32LE(4)) &&
      buffer.readBigUInt64LE(8) <= maxCount &&
      buffer.readBigUInt64LE(16) <= maxCount;
    if (!isModel) throw new LlamaSetupError('it is not a GGUF file of version 2 or 3');
  } finally {
    await file.close();
  }
}
