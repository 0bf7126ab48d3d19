import { answerParent } from '../child.ts';
import type { ServerInit, Start, StartedServer } from './server.ts';

/** Loaded only in the process of the server. */
const servers = {
  raw: async () => (await import('./raw.ts')).start,
  slow: async () => (await import('./raw.ts')).startSlow,
  hono: async () => (await import('./hono.ts')).start,
  proxy: async () => (await import('./proxy.ts')).start,
  embedded: async () => (await import('./modelwire.ts')).startEmbedded,
  forwarding: async () => (await import('./modelwire.ts')).startForwarding,
  portkey: async () => (await import('./portkey.ts')).start,
  aimock: async () => (await import('./aimock.ts')).start,
  md5: async () => (await import('./md5.ts')).start,
  receiver: async () => (await import('./receiver.ts')).start,
} satisfies Record<string, () => Promise<Start>>;
export type ServerName = keyof typeof servers;

/** Questions to the process of a server: start it, report its resource usage, or enable or disable its telemetry. */
export type HostQuestion =
  (ServerInit & { readonly start: ServerName }) | { readonly used: true } | { readonly isTelemetryEnabled: boolean };

export interface Used {
  /** Microseconds of CPU time, of all threads. */
  readonly cpu: number;
  /** Bytes. */
  readonly rss: number;
}

export type Address = Pick<StartedServer, 'base' | 'headers'>;

let started: StartedServer | undefined;

answerParent(async (asked): Promise<Address | Used | undefined> => {
  const question = asked as HostQuestion;
  if ('used' in question) {
    const { user, system } = process.cpuUsage();
    return { cpu: user + system, rss: process.memoryUsage.rss() };
  }
  if ('isTelemetryEnabled' in question) {
    started?.setTelemetryEnabled?.(question.isTelemetryEnabled);
    return undefined;
  }
  started = await (await servers[question.start]())(question);
  return { base: started.base, headers: started.headers };
});
