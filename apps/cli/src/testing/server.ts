import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keysCommand, start } from '@modelwire/server-app';
import type { Config } from '@modelwire/server-app';
import { testSettings } from '@modelwire/server-app/testing';

export const key = 'test-key-1234567890';

export interface Served {
  /** Environment of a terminal that uses the server. */
  readonly env: Readonly<Record<string, string>>;
  /** The same with a key of the role `admin`. */
  readonly adminEnv: Readonly<Record<string, string>>;
  readonly url: string;
  /** Folder of its data. */
  readonly data: string;
  /** Adds a project to the database, with any ID. */
  addProject(id: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the real server in this process, on a free port and in a temporary folder. */
export async function serve(config: Config = {}): Promise<Served> {
  const data = mkdtempSync(join(tmpdir(), 'modelwire-cli-server-'));
  const running = await start({
    apiKeys: [key],
    ...config,
    ...testSettings,
    data,
  });
  const env = { MODELWIRE_BASE_URL: `${running.url}/v1`, MODELWIRE_API_KEY: key, MODELWIRE_MODEL: 'simulator' };
  const admin = JSON.parse(await keysCommand(['create', '--role=admin', '--json'], running.stores)) as { key: string };
  return {
    env,
    adminEnv: { ...env, MODELWIRE_API_KEY: admin.key },
    url: running.url,
    data,
    async addProject(id) {
      const limits = { requestsPerMinute: null, tokensPerMinute: null, allowedModels: null, maxOutputTokens: null };
      const project = { id, name: id, created: 1_700_000_000, archived: null, storageLimitBytes: null };
      await running.stores.keys.addProject({ ...project, ...limits });
    },
    async stop() {
      await running.stop();
      rmSync(data, { recursive: true });
    },
  };
}
