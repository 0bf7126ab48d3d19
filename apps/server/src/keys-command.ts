import { parseArgs } from 'node:util';
import { keyRoles } from '@modelwire/server';
import type { KeyRecord, KeyRole, Stores } from '@modelwire/server';
import { makeKey } from '@modelwire/server/keys';
import { ConfigError } from './config/config-error.ts';

export const keysHelp = `modelwire-server keys: who may call

  keys create [--project p] [--role r] [--name n] [--expires 30d] [--requests-per-minute n] [--tokens-per-minute n]
                      makes a key and shows it, this once
  keys list [--project p]
  keys revoke <id>    takes effect within two seconds, on every replica
  keys limit <project> [--requests-per-minute n] [--tokens-per-minute n]
                      what all keys of a project share; without a number, no limit

Roles: ${keyRoles.join(', ')}. --json prints JSON.
`;

const options = {
  project: { type: 'string' },
  role: { type: 'string' },
  name: { type: 'string' },
  expires: { type: 'string' },
  'requests-per-minute': { type: 'string' },
  'tokens-per-minute': { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** Runs `keys …` and gives what to print. @throws ConfigError that says how it is used. */
export async function keysCommand(args: readonly string[], stores: Stores): Promise<string> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [verb, subject] = positionals;
  const limits = {
    requestsPerMinute: countOf('--requests-per-minute', values['requests-per-minute']),
    tokensPerMinute: countOf('--tokens-per-minute', values['tokens-per-minute']),
  };
  const { project, name, json } = values;
  switch (verb) {
    case 'create': {
      const made = makeKey({ project, name, role: roleOf(values.role), expires: expiryOf(values.expires), ...limits });
      await stores.keys.add(made.record);
      return json ? print({ key: made.key, ...shown(made.record) }) : `${made.key}\n\n${table([made.record])}`;
    }
    case 'list': {
      const keys = await stores.keys.list(project);
      return json ? print(keys.map(shown)) : table(keys);
    }
    case 'revoke': {
      const revoked = await stores.keys.revoke(needed(subject, 'keys revoke <id>'), Math.floor(Date.now() / 1000));
      if (!revoked) throw new ConfigError(`there is no key with the id ${subject ?? ''}`);
      return json ? print(shown(revoked)) : table([revoked]);
    }
    case 'limit': {
      const id = needed(subject, 'keys limit <project>');
      const record = {
        id,
        requestsPerMinute: limits.requestsPerMinute ?? null,
        tokensPerMinute: limits.tokensPerMinute ?? null,
      };
      await stores.keys.setProject(record);
      return json ? print(record) : `${id}: ${limitText(record)}\n`;
    }
    default:
      throw new ConfigError(keysHelp);
  }
}

/** Everything but the hash: whoever sees a list need not have it. */
function shown({ hash, ...rest }: KeyRecord): Omit<KeyRecord, 'hash'> {
  return rest;
}

const print = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function table(keys: readonly KeyRecord[]): string {
  const rows = keys.map((key) => [key.id, key.hint, key.project, key.role, stateOf(key), limitText(key), key.name]);
  const all = [['id', 'key', 'project', 'role', 'state', 'limits', 'name'], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  return all
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function stateOf({ revoked, expires }: KeyRecord): string {
  if (revoked !== null) return 'revoked';
  if (expires === null) return 'valid';
  return expires * 1000 <= Date.now() ? 'expired' : `until ${new Date(expires * 1000).toISOString().slice(0, 16)}`;
}

function limitText({
  requestsPerMinute,
  tokensPerMinute,
}: Pick<KeyRecord, 'requestsPerMinute' | 'tokensPerMinute'>): string {
  const limits = [
    requestsPerMinute === null ? '' : `${requestsPerMinute} requests/min`,
    tokensPerMinute === null ? '' : `${tokensPerMinute} tokens/min`,
  ].filter(Boolean);
  return limits.join(', ') || 'none';
}

function needed(value: string | undefined, usage: string): string {
  if (value === undefined || value === '') throw new ConfigError(`usage: ${usage}`);
  return value;
}

function countOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new ConfigError(`${flag}: expected a whole number of at least 1`);
  return count;
}

function roleOf(text: string | undefined): KeyRole | undefined {
  if (text === undefined) return undefined;
  const role = keyRoles.find((one) => one === text);
  if (!role) throw new ConfigError(`--role: expected one of ${keyRoles.join(', ')}`);
  return role;
}

const units = { m: 60, h: 3600, d: 86_400 } as const;

/** `30d`, `12h`, `5m` from now, as Unix seconds. */
function expiryOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d{1,6})([mhd])$/.exec(text);
  const unit = match?.[2];
  if (!match || (unit !== 'm' && unit !== 'h' && unit !== 'd'))
    throw new ConfigError('--expires: expected 30d, 12h or 5m');
  return Math.floor(Date.now() / 1000) + Number(match[1]) * units[unit];
}
