import { join } from 'node:path';
import { configError } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';
import { pathsOf } from './paths.ts';
import { readIfExists, writePrivateFile } from './private-file.ts';

/** Fields of a profile, by their names in `config set`. All values are strings. */
export const PROFILE_FIELDS = {
  'base-url': 'Base URL of the server',
  'api-key': 'API key',
  model: 'Default model',
  system: 'Default system message of chats',
} as const;

export type ProfileField = keyof typeof PROFILE_FIELDS;
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
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('not valid JSON');
  }
  if (!isRecord(value)) throw invalid('expected a JSON object');
  const { profile = DEFAULT_PROFILE, profiles = {} } = value;
  if (typeof profile !== 'string') throw invalid('profile must be a string');
  if (!isRecord(profiles)) throw invalid('profiles must be an object');
  const read = Object.entries(profiles).map(([name, fields]) => {
    if (!isRecord(fields)) throw invalid(`profiles.${name} must be an object`);
    for (const [field, content] of Object.entries(fields)) {
      if (!isProfileField(field)) throw invalid(`unknown field profiles.${name}.${field}`);
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

export function isProfileField(name: string): name is ProfileField {
  return Object.hasOwn(PROFILE_FIELDS, name);
}

export function checkProfileName(name: string): string {
  if (!/^[\w.-]{1,64}$/.test(name)) {
    throw configError(`Invalid profile name "${name}".`, 'Use up to 64 letters, digits, dots, dashes and underscores.');
  }
  return name;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
