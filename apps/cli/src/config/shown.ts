import type { Configuration } from './profiles.ts';

/** A profile as it may be shown: of the key, only what tells one from another. */
export interface ShownProfile {
  readonly name: string;
  readonly in_use: boolean;
  readonly base_url: string | null;
  readonly api_key: string | null;
  readonly model: string | null;
  readonly system: string | null;
}

export function shownProfile({ profile: used, profiles }: Configuration, name: string): ShownProfile {
  const profile = profiles[name] ?? {};
  const key = profile['api-key'];
  return {
    name,
    in_use: name === used,
    base_url: profile['base-url'] ?? null,
    api_key: key === undefined ? null : shownKey(key),
    model: profile.model ?? null,
    system: profile.system ?? null,
  };
}

/** The last four characters, of keys long enough that the rest is no guess. */
export function shownKey(key: string): string {
  return key.length >= 16 ? `…${key.slice(-4)}` : 'set';
}
