import { answerParent } from '../child.ts';
import { isServerName, servers } from './contestants.ts';
import type { Address } from './servers/server.ts';

/** Questions to the process of a server: start it, or report its resource usage. */
export type HostQuestion = { readonly start: string; readonly upstream: string } | { readonly used: true };

export interface Used {
  /** Microseconds of CPU time, of all threads. */
  readonly cpu: number;
  /** Bytes. */
  readonly rss: number;
}

answerParent(async (asked): Promise<Address | Used> => {
  const question = asked as HostQuestion;
  if ('used' in question) {
    const { user, system } = process.cpuUsage();
    return { cpu: user + system, rss: process.memoryUsage.rss() };
  }
  if (!isServerName(question.start)) throw new Error(`there is no server '${question.start}'`);
  const start = await servers[question.start]();
  return start(question.upstream);
});
