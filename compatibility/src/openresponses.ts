import { fileURLToPath } from 'node:url';
import { run } from './run.ts';
import type { TestServer } from './server.ts';

const preload = fileURLToPath(new URL('extensionless-imports.ts', import.meta.url));

/** Runs the acceptance suite of OpenResponses. @param folder A checkout of openresponses/openresponses in which `zod` is installed. */
export function runOpenResponses(folder: string, { url, key }: Pick<TestServer, 'url' | 'key'>): Promise<boolean> {
  const server = ['--base-url', `${url}/v1`, '--api-key', key, '--model', 'gpt-4o'];
  return run(process.execPath, ['--import', preload, 'bin/compliance-test.ts', ...server], { cwd: folder });
}
