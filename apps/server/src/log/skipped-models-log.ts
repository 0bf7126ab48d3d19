import type { Logger } from 'pino';
import type { SkippedEntry } from '../upstreams/model-list.ts';

/** Maximum number of different entries of an upstream that are logged: they come from outside. */
const maxEntries = 100;

/** Logs each skipped entry of the model list of each upstream once, although the lists are requested again and again. */
export function createSkippedModelsLog(
  logger: Pick<Logger, 'warn'>,
): (upstream: string, skipped: readonly SkippedEntry[]) => void {
  const loggedByUpstream = new Map<string, Set<string>>();
  return (upstream, skipped) => {
    const logged = loggedByUpstream.get(upstream) ?? new Set();
    loggedByUpstream.set(upstream, logged);
    for (const { entry, cause } of skipped) {
      const key = `${cause}: ${entry}`;
      if (logged.has(key) || logged.size >= maxEntries) continue;
      logged.add(key);
      logger.warn({ upstream, entry, cause }, 'skipped an entry in the model list of an upstream');
    }
  };
}
