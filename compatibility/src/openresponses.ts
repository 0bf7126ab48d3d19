import { fileURLToPath } from 'node:url';
import { run } from './run.ts';
import { startServer } from './server.ts';
import type { TestServer } from './server.ts';

const preload = fileURLToPath(new URL('extensionless-imports.ts', import.meta.url));

/** Runs the acceptance suite of OpenResponses. @param folder A checkout of openresponses/openresponses in which `zod` is installed. */
export function runOpenResponses(folder: string, { url, key }: Pick<TestServer, 'url' | 'key'>): Promise<boolean> {
  const server = ['--base-url', `${url}/v1`, '--api-key', key, '--model', 'gpt-4o'];
  return run(process.execPath, ['--import', preload, 'bin/compliance-test.ts', ...server], { cwd: folder });
}

/** The same for a server whose upstream serves `/responses` itself: another server of this kind. */
export async function runOpenResponsesBehind({ url, key }: TestServer, folder: string): Promise<boolean> {
  const upstreams = [{ baseURL: `${url}/v1`, apiKey: key, responses: true }];
  const server = await startServer(undefined, { simulator: false, upstreams });
  try {
    return await runOpenResponses(folder, server);
  } finally {
    await server.stop();
  }
}
