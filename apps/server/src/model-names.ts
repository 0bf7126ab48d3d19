import type { Settings } from './settings.ts';

type Entries = NonNullable<Settings['models']>;
type Alias = Extract<Entries[string], { readonly model: string }>;
export type UpstreamModelEntry = Exclude<Entries[string], Alias>;

export interface ModelNames {
  /** What each alias stands for. */
  readonly aliases: Readonly<Record<string, string>>;
  /** The models of upstreams that are listed; undefined where upstreams are to be asked for their models. */
  readonly upstreamModels: Readonly<Record<string, UpstreamModelEntry>> | undefined;
}

/** Splits `models` of the settings into aliases, and models of upstreams. */
export function modelNamesOf({ models = {} }: Pick<Settings, 'models'>): ModelNames {
  const aliases: Record<string, string> = {};
  const upstreamModels: Record<string, UpstreamModelEntry> = {};
  for (const [name, entry] of Object.entries(models)) {
    if ('model' in entry) aliases[name] = entry.model;
    else upstreamModels[name] = entry;
  }
  return { aliases, upstreamModels: Object.keys(upstreamModels).length > 0 ? upstreamModels : undefined };
}
