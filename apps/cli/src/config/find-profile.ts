import { configError } from '../cli-error.ts';
import { nearest } from '@modelwire/schema/nearest';
import type { Terminal } from '../terminal.ts';
import type { Configuration, Profile } from './profiles.ts';

/** Name of the profile to use: from the option, the environment, or the current one. */
export function profileName(
  { env }: Pick<Terminal, 'env'>,
  { profile: option }: { readonly profile?: string | undefined },
  { profile: current }: Configuration,
): string {
  const variable = env['MODELWIRE_PROFILE'];
  return option ?? (variable === undefined || variable === '' ? current : variable);
}

/** The profile of this name. @throws CliError with a suggestion when it does not exist. */
export function findProfile({ profiles }: Configuration, name: string): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return profile;
  const suggestion = nearest(name, Object.keys(profiles));
  throw configError(
    `The profile "${name}" does not exist.`,
    suggestion === undefined ? `Create it: modelwire profiles create ${name}` : `Did you mean ${suggestion}?`,
  );
}
