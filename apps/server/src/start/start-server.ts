import type { Settings } from '../config/settings.ts';
import type { StartedServer, StartOptions } from './started-server.ts';
import { workerCount } from '../workers/worker-count.ts';

/**
 * Starts a server in this process, or with the setting `workers` in several, and resolves when it listens; GGUF models at a URL are downloaded
 * before. If that fails, everything that was opened is closed again and no job has been claimed for good.
 */
export async function startServer(settings: Settings, options: StartOptions = {}): Promise<StartedServer> {
  const count = workerCount(settings);
  // Loaded on demand: the primary of several workers does not need what serves requests.
  if (count > 1) return (await import('../workers/start-workers.ts')).startWorkers(settings, count);
  return (await import('./start.ts')).startInProcess(settings, options);
}
