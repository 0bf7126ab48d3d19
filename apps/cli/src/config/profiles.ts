import { join } from 'node:path';
import { nearest } from '@modelwire/schema/internal/nearest';
import { configError } from '../cli-error.ts';
import { isRecord, parseJson } from '../json.ts';
import type { Terminal } from '../terminal.ts';
import { pathsOf } from './paths.ts';
import { readIfExists, writePrivateFile } from './private-file.ts';

/** Fields of a profile, by their names in `config set`. All values are strings. */
export const PROFILE_FIELDS = ['base-url', 'api-key', 'model', 'system'] as const;

type ProfileField = (typeof PROFILE_FIELDS)[number];
export type Profile = Readonly<Partial<Record<ProfileField, string>>>;

export interface Configuration {
  /** Name of the current profile. */
  readonly profile: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

export const DEFAULT_PROFILE = 'default';

export function configPath(terminal: Terminal): string {
  return join(pathsOf(terminal).config, 'config.json');
}

export async function readConfiguration(terminal: Terminal): Promise<Configuration> {
  const path = configPath(terminal);
  const text = await readIfExists(path);
  if (text === undefined) return { profile: DEFAULT_PROFILE, profiles: {} };
  const invalid = (problem: string): Error =>
    configError(`Invalid configuration ${path}: ${problem}.`, 'Correct the file, or delete it to start again.');
  const value = parseJson(text);
  if (value === undefined) throw invalid('not valid JSON');
  if (!isRecord(value)) throw invalid('expected a JSON object');
  const { profile = DEFAULT_PROFILE, profiles = {} } = value;
  if (typeof profile !== 'string') throw invalid('profile must be a string');
  if (!isRecord(profiles)) throw invalid('profiles must be an object');
  const read = Object.entries(profiles).map(([name, fields]) => {
    if (!isRecord(fields)) throw invalid(`profiles.${name} must be an object`);
    for (const [field, content] of Object.entries(fields)) {
      if (!PROFILE_FIELDS.some((name) => name === field)) throw invalid(`unknown field profiles.${name}.${field}`);
      if (typeof content !== 'string') throw invalid(`profiles.${name}.${field} must be a string`);
    }
    // All fields were checked.
    return [name, fields] as const;
  });
  return { profile, profiles: Object.fromEntries(read) };
}

export async function writeConfiguration(terminal: Terminal, configuration: Configuration): Promise<void> {
  await writePrivateFile(configPath(terminal), `${JSON.stringify(configuration, null, 2)}\n`);
}

/** The configuration with one profile replaced, or removed if it is `undefined`. */
export function withProfile(configuration: Configuration, name: string, profile: Profile | undefined): Configuration {
  const { [name]: _, ...others } = configuration.profiles;
  return { ...configuration, profiles: profile === undefined ? others : { ...others, [name]: profile } };
}

export function checkProfileName(name: string): string {
  if (!/^[\w.-]{1,64}$/.test(name)) {
    throw configError(`Invalid profile name "${name}".`, 'Use up to 64 letters, digits, dots, dashes and underscores.');
  }
  return name;
}

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
