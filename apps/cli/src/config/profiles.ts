import { join } from 'node:path';
import { configFailure } from '../failure.ts';
import type { Terminal } from '../terminal.ts';
import { pathsOf } from './paths.ts';
import { readIfThere, writePrivately } from './private-file.ts';

/** What a profile may hold, all of it text in the file; the names are those of `config set`. */
export const PROFILE_FIELDS = {
  'base-url': 'the server, with its version prefix',
  'api-key': 'the key',
  model: 'the model of chat and of templates',
  system: 'what chat tells a model before all else',
} as const;

export type ProfileField = keyof typeof PROFILE_FIELDS;
export type Profile = Readonly<Partial<Record<ProfileField, string>>>;

export interface Configuration {
  /** The one in use unless another is asked for. */
  readonly profile: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

export const DEFAULT_PROFILE = 'default';

export function configPath(terminal: Terminal): string {
  return join(pathsOf(terminal).config, 'config.json');
}

export async function readConfiguration(terminal: Terminal): Promise<Configuration> {
  const path = configPath(terminal);
  const text = await readIfThere(path);
  if (text === undefined) return { profile: DEFAULT_PROFILE, profiles: {} };
  const broken = (why: string): Error => configFailure(`${path}: ${why}`, 'Mend it, or remove it to begin anew.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw broken('this is no JSON');
  }
  if (!isRecord(value)) throw broken('expected an object');
  const { profile = DEFAULT_PROFILE, profiles = {} } = value;
  if (typeof profile !== 'string') throw broken('profile: expected a name');
  if (!isRecord(profiles)) throw broken('profiles: expected an object');
  const read = Object.entries(profiles).map(([name, fields]) => {
    if (!isRecord(fields)) throw broken(`profiles.${name}: expected an object`);
    for (const [field, content] of Object.entries(fields)) {
      if (!isProfileField(field)) throw broken(`profiles.${name}.${field}: there is no such field`);
      if (typeof content !== 'string') throw broken(`profiles.${name}.${field}: expected text`);
    }
    // Every field was looked at.
    return [name, fields] as const;
  });
  return { profile, profiles: Object.fromEntries(read) };
}

export async function writeConfiguration(terminal: Terminal, configuration: Configuration): Promise<void> {
  await writePrivately(configPath(terminal), `${JSON.stringify(configuration, null, 2)}\n`);
}

/** The configuration with one profile set, or taken away. */
export function withProfile(configuration: Configuration, name: string, profile: Profile | undefined): Configuration {
  const { [name]: _, ...others } = configuration.profiles;
  return { ...configuration, profiles: profile === undefined ? others : { ...others, [name]: profile } };
}

export function isProfileField(name: string): name is ProfileField {
  return Object.hasOwn(PROFILE_FIELDS, name);
}

export function checkProfileName(name: string): string {
  if (!/^[\w.-]{1,64}$/.test(name)) {
    throw configFailure(
      `"${name}" is no name of a profile`,
      'Letters, digits, dots, dashes and underscores; at most 64.',
    );
  }
  return name;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
