import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../config/schema.ts';

export type Upstream = NonNullable<Config['upstreams']>[number] & { name: string };
export type Model = NonNullable<Config['models']>[string];
export type Provider = NonNullable<Config['providers']>[number] & { models: { model: string; id: string }[] };

export interface Translation {
  readonly config: Config;
  /** What has no counterpart, one sentence each. */
  readonly notes: readonly string[];
}

/** Returns the upstream with these fields, which is added if there is none, with a number after its name if that is taken. */
export function upstreamWith(upstreams: Upstream[], { name, ...fields }: Upstream): Upstream {
  const same = upstreams.find(({ name: _, ...others }) => isDeepStrictEqual(others, fields));
  if (same) return same;
  return addUpstream(upstreams, { name, ...fields });
}

export function addUpstream(upstreams: Upstream[], { name, ...fields }: Upstream): Upstream {
  const number = upstreams.filter((each) => each.name.replace(/-\d+$/, '') === name).length + 1;
  const upstream = { name: number === 1 ? name : `${name}-${number}`, ...fields };
  upstreams.push(upstream);
  return upstream;
}

/** Returns the provider with these fields, which is added if there is none. */
export function providerWith(providers: Provider[], fields: Omit<Provider, 'models'>): Provider {
  const same = providers.find(({ models, ...others }) => isDeepStrictEqual(others, fields));
  if (same) return same;
  const provider = { ...fields, models: [] };
  providers.push(provider);
  return provider;
}
