import type { Settings } from '../config/settings.ts';

type Entries = NonNullable<Settings['models']>;
type Alias = Extract<Entries[string], { readonly model: string }>;
export type UpstreamModelEntry = Exclude<Entries[string], Alias>;

export interface ModelNames {
  /** Alias to model ID. */
  readonly aliases: Readonly<Record<string, string>>;
  /** The configured models of upstreams; undefined if the models are discovered at `/models` of each upstream. */
  readonly upstreamModels: Readonly<Record<string, UpstreamModelEntry>> | undefined;
}

/** Splits the `models` of the configuration into aliases and upstream models. */
export function splitModels({ models = {} }: Pick<Settings, 'models'>): ModelNames {
  const aliases: Record<string, string> = {};
  const upstreamModels: Record<string, UpstreamModelEntry> = {};
  for (const [name, entry] of Object.entries(models)) {
    if ('model' in entry) aliases[name] = entry.model;
    else upstreamModels[name] = entry;
  }
  return { aliases, upstreamModels: Object.keys(upstreamModels).length > 0 ? upstreamModels : undefined };
}
