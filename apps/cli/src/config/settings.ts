import { join, resolve } from 'node:path';
import { configError } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';
import { readIfExists } from './private-file.ts';
import { DEFAULT_PROFILE, findProfile, profileName, readConfiguration } from './profiles.ts';
import type { Profile } from './profiles.ts';
import { readSecret } from './secret.ts';

const DEFAULT_BASE_URL = 'http://127.0.0.1:8787/v1';

/** A setting and its source, such as an option or a variable. */
interface Setting {
  readonly value: string;
  readonly source: string;
  readonly isDefault?: true;
}

/** The effective settings of a command. */
export interface Settings {
  readonly profile: string;
  readonly baseURL: Setting;
  readonly key: Setting | undefined;
  readonly model: Setting | undefined;
  readonly system: string | undefined;
}

export interface SettingsOptions {
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly keyFile?: string | undefined;
}

/**
 * Reads the settings from the options, then the environment, then the profile. With `--profile`, the environment is ignored, so that
 * the server of the profile never receives the key of another server.
 */
export async function readSettings(terminal: Terminal, options: SettingsOptions): Promise<Settings> {
  const { env } = terminal;
  const configuration = await readConfiguration(terminal);
  const name = profileName(terminal, options, configuration);
  const isExplicit = options.profile !== undefined;
  // The default profile does not have to exist.
  const isRequired = isExplicit || name !== DEFAULT_PROFILE || Object.hasOwn(configuration.profiles, name);
  const profile = isRequired ? findProfile(configuration, name) : {};
  const sources = { profile, name, env: isExplicit ? {} : env };
  const baseURL = settingOf(options.baseUrl, '--base-url') ??
    fromSources(sources, 'MODELWIRE_BASE_URL', 'base-url') ?? {
      value: DEFAULT_BASE_URL,
      source: 'default',
      isDefault: true,
    };
  return {
    profile: name,
    baseURL,
    key: await findKey(terminal, options, sources, baseURL),
    model: fromSources(sources, 'MODELWIRE_MODEL', 'model'),
    system: profile.system,
  };
}

interface Sources {
  readonly profile: Profile;
  readonly name: string;
  readonly env: Terminal['env'];
}

async function findKey(
  terminal: Terminal,
  options: SettingsOptions,
  sources: Sources,
  baseURL: Setting,
): Promise<Setting | undefined> {
  const file = options.keyFile;
  if (file !== undefined) return { value: await readKeyFile(terminal, file), source: `--key-file ${file}` };
  const { env, profile, name } = sources;
  const fromEnv = settingOf(env['MODELWIRE_API_KEY'], 'MODELWIRE_API_KEY');
  if (fromEnv !== undefined) return fromEnv;
  const stored = profile['api-key'];
  if (stored !== undefined) {
    // The key belongs to the server of the profile. A server from an option or the environment must not receive it.
    const profileURL = profile['base-url'] ?? DEFAULT_BASE_URL;
    if (sameOrigin(profileURL, baseURL.value)) return { value: stored, source: `profile ${name}` };
  }
  if (!isLoopback(baseURL.value)) return undefined;
  // A server that was started in this folder stores its API key here.
  const path = join(terminal.cwd, '.modelwire', 'api-key');
  return settingOf((await readIfExists(path))?.trim(), './.modelwire/api-key');
}

export async function readKeyFile(terminal: Terminal, file: string): Promise<string> {
  if (file === '-') return readSecret(terminal, 'API key: ');
  const path = resolve(terminal.cwd, file);
  const text = (await readIfExists(path))?.trim();
  if (text === undefined) throw configError(`The file ${file} of --key-file does not exist.`);
  if (text === '') throw configError(`The file ${file} of --key-file is empty.`);
  return text;
}

function fromSources(
  { env, profile, name }: Sources,
  variable: string,
  field: 'base-url' | 'model',
): Setting | undefined {
  return settingOf(env[variable], variable) ?? settingOf(profile[field], `profile ${name}`);
}

function settingOf(value: string | undefined, source: string): Setting | undefined {
  return value === undefined || value === '' ? undefined : { value, source };
}

function sameOrigin(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin;
}

export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
