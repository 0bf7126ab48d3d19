import { configFailure } from '../failure.ts';
import { nearest } from '../nearest.ts';
import type { Configuration, Profile } from './profiles.ts';

/** The profile of this name. @throws Failure that says which may have been meant. */
export function findProfile({ profiles }: Configuration, name: string): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return profile;
  const meant = nearest(name, Object.keys(profiles));
  throw configFailure(
    `There is no profile "${name}"`,
    meant === undefined ? `Make it: modelwire profile add ${name}` : `Did you mean ${meant}?`,
  );
}
