import { setTimeout as sleep } from 'node:timers/promises';
import { spawnChild } from '../child.ts';
import type { Child } from '../child.ts';
import { contestants as all } from './contestants.ts';
import type { Contestant, ServerName } from './contestants.ts';
import type { HostQuestion, Used } from './host.ts';
import { requestOf } from './request.ts';
import type { Mode } from './payload.ts';
import type { Request } from './request.ts';
import type { Address } from './servers/server.ts';
import { verify } from './verify.ts';

/** All servers, each in a separate process. Servers whose reply failed the verification are left out, with the reason. */
export interface Arena {
  readonly entries: readonly Entry[];
  readonly out: readonly { readonly contestant: Contestant; readonly why: string }[];
  used(server: ServerName): Promise<Used>;
  close(): Promise<void>;
}

export interface Entry {
  readonly contestant: Contestant;
  readonly mode: Mode;
  readonly request: Request;
  /** Size of the body of a reply. */
  readonly bytes: number;
}

const host = new URL('./host.ts', import.meta.url);

export async function openArena(contestants: readonly Contestant[] = all): Promise<Arena> {
  const children = new Map<ServerName, Child>();
  const addresses = new Map<ServerName, Promise<Address>>();
  let upstream = '';
  function address(server: ServerName): Promise<Address> {
    const known = addresses.get(server);
    if (known) return known;
    const child = spawnChild(host, [server]);
    children.set(server, child);
    const started = child.ask<Address>({ start: server, upstream } satisfies HostQuestion);
    addresses.set(server, started);
    return started;
  }

  upstream = (await address('raw')).url.replace('/chat/completions', '');
  // In parallel, because a start mostly loads modules.
  await Promise.allSettled(contestants.map(({ server }) => address(server)));
  const entries: Entry[] = [];
  const out: { contestant: Contestant; why: string }[] = [];
  for (const contestant of contestants) {
    try {
      const at = await address(contestant.server);
      for (const mode of contestant.modes) {
        const request = requestOf(contestant, mode, at);
        entries.push({ contestant, mode, request, bytes: await untilListening(() => verify(request, mode)) });
      }
    } catch (error) {
      out.push({ contestant, why: error instanceof Error ? error.message : String(error) });
    }
  }
  return {
    entries,
    out,
    async used(server) {
      const child = children.get(server);
      if (!child) throw new Error(`${server} is not running`);
      return child.ask<Used>({ used: true } satisfies HostQuestion);
    },
    close: async () => {
      await Promise.all([...children.values()].map((child) => child.stop()));
    },
  };
}

/** Waits until the server accepts connections; not all of them report it. */
async function untilListening<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = 50; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0 || !(error instanceof TypeError)) throw error;
      await sleep(100);
    }
  }
}
