import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { completionsAt } from './server.ts';
import type { Start } from './server.ts';

/** Its start script reads `process.argv` and does not report when it listens. */
export const start: Start = async (upstream) => {
  const port = await freePort();
  process.argv.push('--headless', `--port=${port}`);
  const script: string = '@portkey-ai/gateway/build/start-server.js';
  await import(script);
  return {
    ...completionsAt(`http://127.0.0.1:${port}/v1`),
    headers: { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': upstream },
  };
};

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
