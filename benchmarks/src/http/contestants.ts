import type { Mode } from './payload.ts';
import type { Start } from './servers/server.ts';

/** Loaded only in the child process of this server. */
export const servers = {
  raw: async () => (await import('./servers/raw.ts')).start,
  hono: async () => (await import('./servers/hono.ts')).start,
  proxy: async () => (await import('./servers/proxy.ts')).start,
  embedded: async () => (await import('./servers/modelwire.ts')).startEmbedded,
  storing: async () => (await import('./servers/modelwire.ts')).startStoring,
  forwarding: async () => (await import('./servers/modelwire.ts')).startForwarding,
  manyUpstreams: async () => (await import('./servers/modelwire.ts')).startManyUpstreams,
  portkey: async () => (await import('./servers/portkey.ts')).start,
  aimock: async () => (await import('./servers/aimock.ts')).start,
  testing: async () => (await import('./servers/testing.ts')).start,
  md5: async () => (await import('./servers/md5.ts')).start,
  ceiling: async () => (await import('./servers/ceiling.ts')).start,
} satisfies Record<string, () => Promise<Start>>;

export type ServerName = keyof typeof servers;

export function isServerName(name: string): name is ServerName {
  return Object.hasOwn(servers, name);
}

/** A row of the table: a server and the options of its requests. */
export interface Contestant {
  readonly name: string;
  readonly server: ServerName;
  readonly title: string;
  readonly modes: readonly Mode[];
  /** Default: true, as in the API. */
  readonly obfuscation?: boolean;
}

const both: readonly Mode[] = ['create', 'stream'];

export const contestants: readonly Contestant[] = [
  { name: 'ceiling', server: 'ceiling', title: 'the load generator alone, against bare sockets', modes: ['create'] },
  { name: 'raw', server: 'raw', title: 'raw `node:http` (baseline for servers)', modes: both },
  {
    name: 'hono',
    server: 'hono',
    title: 'hono on `@hono/node-server`, fixed reply (a framework, for comparison)',
    modes: both,
  },
  { name: 'embedded', server: 'embedded', title: '**Modelwire**, embedded', modes: both },
  {
    name: 'embedded-plain',
    server: 'embedded',
    title: '**Modelwire**, embedded, without obfuscation',
    modes: ['stream'],
    obfuscation: false,
  },
  { name: 'aimock', server: 'aimock', title: '`@copilotkit/aimock`', modes: both },
  { name: 'proxy', server: 'proxy', title: 'ten-line `node:http` proxy (baseline for gateways)', modes: both },
  { name: 'forwarding', server: 'forwarding', title: '**Modelwire**, forwarding', modes: both },
  {
    name: 'forwarding-plain',
    server: 'forwarding',
    title: '**Modelwire**, forwarding, without obfuscation',
    modes: ['stream'],
    obfuscation: false,
  },
  { name: 'portkey', server: 'portkey', title: '`@portkey-ai/gateway`, forwarding', modes: both },
];
