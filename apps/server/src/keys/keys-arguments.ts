import { keyRoles } from '@modelwire/ports';
import type { KeyRole } from '@modelwire/ports';
import { projectApiKeyUpdateParamsSchema, projectIdSchema } from '@modelwire/schema/internal';
import { ConfigError } from '../config/config-error.ts';

/** The value of an option that removes a limit or an expiry. */
const none = 'none';

export function requireArgument(value: string | undefined, usage: string): string {
  if (value === undefined || value === '') throw new ConfigError(`Usage: ${usage}`);
  return value;
}

/** @throws ConfigError for an ID that the API does not accept either. */
export function parseProject(argument: string, text: string): string {
  const { data, error } = projectIdSchema.safeParse(text);
  if (data === undefined) throw new ConfigError(`${argument}: expected ${error.issues[0]?.message ?? 'a project ID'}`);
  return data;
}

/** Null for `none`, which removes a limit. */
export function parseCount(flag: string, text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === none) return null;
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new ConfigError(`${flag}: expected an integer of at least 1, or none`);
  return count;
}

/** Null for `none`, which allows all models. */
export function parseModels(flag: string, models: readonly string[] | undefined): readonly string[] | null | undefined {
  if (models === undefined) return undefined;
  if (models.includes(none)) {
    if (models.length > 1) throw new ConfigError(`${flag}: 'none' cannot be combined with other models`);
    return null;
  }
  if (!projectApiKeyUpdateParamsSchema.shape.allowed_models.safeParse(models).success)
    throw new ConfigError(`${flag}: expected at most 1000 model IDs of 1 to 200 characters`);
  return models;
}

export function parseRole(text: string | undefined): KeyRole | undefined {
  if (text === undefined) return undefined;
  const role = keyRoles.find((name) => name === text);
  if (!role) throw new ConfigError(`--role: expected one of ${keyRoles.join(', ')}`);
  return role;
}

const units = { m: 60, h: 3600, d: 86_400 } as const;

/** Converts a duration such as `30d`, `12h` or `5m` to the Unix time, in seconds, at which it ends. */
export function parseEnd(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d{1,6})([mhd])$/.exec(text);
  const unit = match?.[2];
  if (!match || (unit !== 'm' && unit !== 'h' && unit !== 'd'))
    throw new ConfigError(`${flag}: expected a duration such as 30d, 12h or 5m`);
  return Math.floor(Date.now() / 1000) + Number(match[1]) * units[unit];
}

/** Null for `none`: the key does not expire. @throws ConfigError for a time that is over at once. */
export function parseExpiry(flag: string, text: string | undefined): number | null | undefined {
  if (text !== undefined && /^0+[mhd]$/.test(text))
    throw new ConfigError(`${flag}: expected a duration of at least 1m. To end a key now, revoke it`);
  return text === none ? null : parseEnd(flag, text);
}
