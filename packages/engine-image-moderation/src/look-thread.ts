// Runs in a separate thread: an image takes about 200 ms of computation, which would block the event loop.
import { parentPort } from 'node:worker_threads';
import { UnreadableImage, decode } from './decode.ts';
import { network } from './network.ts';
import type { Look, Seen } from './protocol.ts';
import { readWeights } from './weights.ts';

let see: ReturnType<typeof network> | undefined;

async function look({ bytes, limits }: Look): Promise<Seen> {
  try {
    const frames = await decode(bytes, limits);
    const ready = (see ??= network(readWeights()));
    return { type: 'seen', frames: frames.map((pixels) => ready(pixels)) };
  } catch (error) {
    if (error instanceof UnreadableImage) return { type: 'unreadable' };
    return { type: 'failed', error: error instanceof Error ? error : new Error(String(error)) };
  }
}

const port = parentPort;
port?.on('message', (asked: Look) => void look(asked).then((seen) => port.postMessage(seen)));
