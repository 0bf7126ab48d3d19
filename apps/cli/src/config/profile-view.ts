import type { Configuration } from './profiles.ts';

/** A profile for output, with its API key masked. */
export interface ProfileView {
  readonly name: string;
  readonly is_current: boolean;
  readonly base_url: string | null;
  readonly api_key: string | null;
  readonly model: string | null;
  readonly system: string | null;
}

export function profileView({ profile: current, profiles }: Configuration, name: string): ProfileView {
  const profile = profiles[name] ?? {};
  const key = profile['api-key'];
  return {
    name,
    is_current: name === current,
    base_url: profile['base-url'] ?? null,
    api_key: key === undefined ? null : maskedKey(key),
    model: profile.model ?? null,
    system: profile.system ?? null,
  };
}

/** The last four characters of a key that is long enough for the rest to stay secret; otherwise `set`. */
export function maskedKey(key: string): string {
  return key.length >= 16 ? `…${key.slice(-4)}` : 'set';
}
