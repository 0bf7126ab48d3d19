// A server of the server kit with SQLite, local files and the simulator, whose functions of packages/server are traced. For `run.ts`.
import { createServer as createHttpServer } from 'node:http';
import { registerHooks } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { argv } from 'node:process';
import ts from 'typescript';
import { answerParent } from '../child.ts';
import { insertTraceCalls } from './insert-trace-calls.ts';

/** `port`: the port of the server. `calls`: the first calls of functions since the last question, in order. */
export interface TraceQuestion {
  readonly ask: 'port' | 'calls';
}

const source = new URL('../../../packages/server/src/', import.meta.url).href;
let calls = new Set<string>();

Object.assign(globalThis, { traceCall: (name: string) => void calls.add(name) });
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.startsWith(source) || loaded.source === undefined) return loaded;
    const text = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
    return { ...loaded, source: insertTraceCalls(ts, url.slice(source.length), text) };
  },
});

const [folder = '', apiKey = '', worker] = argv.slice(2);
const { createServer } = await import('@modelwire/server');
const { nodeListener } = await import('@modelwire/server/node');
const { openSqliteStores } = await import('@modelwire/store-sqlite');
const { openFsBlobs } = await import('@modelwire/blobs-fs');
const { createSimulator } = await import('@modelwire/engine-simulator');
const server = createServer({
  engines: [createSimulator()],
  keys: [apiKey],
  stores: await openSqliteStores({ path: join(folder, 'modelwire.db') }),
  blobs: await openFsBlobs({ path: join(folder, 'files') }),
  worker: worker === 'worker',
});
const http = createHttpServer(nodeListener(server));
await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));

answerParent((question) => {
  if ((question as TraceQuestion).ask === 'port') return (http.address() as AddressInfo).port;
  const recorded = [...calls];
  calls = new Set();
  return recorded;
});
