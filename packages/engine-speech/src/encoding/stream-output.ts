import { concatBytes } from '@modelwire/adapter-kit/internal';
import { StreamTarget } from 'mediabunny';

/** A mediabunny target for formats that are written strictly from front to back. */
export interface StreamOutput {
  readonly target: StreamTarget;
  /** The bytes that were written since the last call. */
  take(): Uint8Array<ArrayBuffer>;
}

export function streamOutput(): StreamOutput {
  let chunks: Uint8Array[] = [];
  return {
    target: new StreamTarget(new WritableStream({ write: ({ data }) => void chunks.push(data.slice()) })),
    take() {
      const bytes = concatBytes(chunks);
      chunks = [];
      return bytes;
    },
  };
}
