import type { ServerName } from '../servers/host.ts';
import type { Mode } from '../servers/payload.ts';

/** A row of the table: a server and the options of its requests. */
export interface Contestant {
  readonly server: ServerName;
  readonly title: string;
  /** False: streams without padding. Default: true, as in the API. */
  readonly obfuscation?: boolean;
}

const all = {
  raw: { server: 'raw', title: 'raw `node:http` (baseline for servers)' },
  hono: { server: 'hono', title: 'hono on `@hono/node-server`, fixed reply (a framework, for comparison)' },
  embedded: { server: 'embedded', title: '**Modelwire**, embedded' },
  embeddedPlain: { server: 'embedded', title: '**Modelwire**, embedded, without obfuscation', obfuscation: false },
  aimock: { server: 'aimock', title: '`@copilotkit/aimock`' },
  proxy: { server: 'proxy', title: 'ten-line `node:http` proxy (baseline for gateways)' },
  forwarding: { server: 'forwarding', title: '**Modelwire**, forwarding' },
  forwardingPlain: {
    server: 'forwarding',
    title: '**Modelwire**, forwarding, without obfuscation',
    obfuscation: false,
  },
  portkey: { server: 'portkey', title: '`@portkey-ai/gateway`, forwarding' },
} as const satisfies Record<string, Contestant>;

export type ContestantName = keyof typeof all;
export const contestants: Readonly<Record<ContestantName, Contestant>> = all;
const names = Object.keys(all) as ContestantName[];
export const serverNames = [...new Set(names.map((name) => contestants[name].server))];

/** Who answers such requests. */
export function namesOf(mode: Mode): readonly ContestantName[] {
  return mode === 'stream' ? names : names.filter((name) => contestants[name].obfuscation !== false);
}
