// Never responds to a request for no frames, and blocks its thread; responds to others immediately.
import { parentPort } from 'node:worker_threads';
import type { Look, Seen } from '../protocol.ts';

const port = parentPort;
port?.on('message', ({ limits }: Look) => {
  while (limits.frames === 0);
  const seen: Seen = { type: 'unreadable' };
  port.postMessage(seen);
});
