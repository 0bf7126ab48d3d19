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

/** Adds a model to the provider with these fields, which is added if there is none. */
export function addProviderModel(
  providers: Provider[],
  fields: Omit<Provider, 'models'>,
  model: Provider['models'][number],
): void {
  const same = providers.find(({ models: _, ...others }) => isDeepStrictEqual(others, fields));
  if (same) same.models.push(model);
  else providers.push({ ...fields, models: [model] });
}

/** Leaves out lists and records that are empty. */
export function withoutEmpty({ upstreams = [], models = {}, providers = [], ...others }: Config): Config {
  return {
    ...(upstreams.length > 0 && { upstreams }),
    ...(Object.keys(models).length > 0 && { models }),
    ...(providers.length > 0 && { providers }),
    ...others,
  };
}

/** The note on a field for which there is nothing better to say. */
export const noCounterpart = 'has no counterpart.';
