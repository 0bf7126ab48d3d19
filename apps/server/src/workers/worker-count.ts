import { availableParallelism } from 'node:os';
import { ConfigError } from '../config/config-error.ts';
import type { Settings } from '../config/settings.ts';

/** The number of processes that serve requests. 1: this process does. @throws ConfigError for settings that need a single process. */
export function workerCount({ workers = 1, gguf, embeddings }: Settings): number {
  const count = workers === 'auto' ? availableParallelism() : workers;
  if (count === 1 || (gguf === undefined && embeddings === undefined)) return count;
  if (workers === 'auto') return 1;
  throw new ConfigError(
    'workers: models in GGUF files (`gguf`, `embeddings`) run in the process of the server, and each worker would load them. Set workers to 1, or serve the models with a second server and name it in `upstreams`.',
  );
}
