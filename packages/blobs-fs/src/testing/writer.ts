// A process that writes blobs until it is killed, and records each acknowledged key.
// Arguments: the folder, the path of the list.
import { openSync, writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { openFsBlobs } from '../fs-blobs.ts';

const [path = '', list = ''] = process.argv.slice(2);
const acknowledged = openSync(list, 'a');
const blobs = await openFsBlobs({ path });
let made = 0;

/** Their length, repeated as content, so that any of them can be verified to be complete. */
async function* telling(numbers: number) {
  const piece = new Float64Array(5000).fill(numbers);
  for (let left = numbers; left > 0; left -= piece.length) {
    yield new Uint8Array(piece.buffer, 0, 8 * Math.min(left, piece.length));
  }
}

async function write(): Promise<void> {
  for (;;) {
    const key = `blob_${randomBytes(12).toString('hex')}`;
    await blobs.write(key, telling(1 + ((++made * 7919) % 200_000)));
    // Synchronous, so that the process cannot be killed in between.
    writeSync(acknowledged, `${key}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, write));
