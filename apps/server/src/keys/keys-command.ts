import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { keyRoles } from '@modelwire/ports';
import type { AuditEntry, KeyRecord, Stores } from '@modelwire/ports';
import { makeKey, makeSecret } from '@modelwire/server/keys';
import { describeFailures } from '../commands/command-failure.ts';
import { ConfigError } from '../config/config-error.ts';
import type { Settings } from '../config/settings.ts';
import { openStores } from '../storage/stores.ts';
import {
  parseCount,
  parseEnd,
  parseExpiry,
  parseModels,
  parseProject,
  parseRole,
  requireArgument,
} from './keys-arguments.ts';

export const keysHelp = `modelwire-server keys: manage API keys

  keys create [--project p] [--role r] [--name n] [--expires 30d] [limits]
                      create a key and print it once
  keys list [--project p]
                      list keys, without their secrets
  keys update <id> [--role r] [--name n] [--expires 30d] [limits]
                      change a key; --expires none: it does not expire
  keys rotate <id> [--grace 1h]
                      replace the secret of a key and print the new one once; the old one stays valid for the grace period
  keys revoke <id>    revoke a key; takes effect within two seconds on every replica
  keys limit <project> [--requests-per-minute n] [--tokens-per-minute n]
                      set the limits that all keys of a project share; without a number, no limit

Limits of a key: --requests-per-minute n, --tokens-per-minute n, --max-output-tokens n, --allow-model id (repeat it for
several models). The value none removes a limit.
Roles: ${keyRoles.join(', ')}. Use --json for JSON output.
The database is that of the configuration file, ./modelwire.config.* or --config <file>.
`;

const options = {
  project: { type: 'string' },
  role: { type: 'string' },
  name: { type: 'string' },
  expires: { type: 'string' },
  grace: { type: 'string' },
  'requests-per-minute': { type: 'string' },
  'tokens-per-minute': { type: 'string' },
  'max-output-tokens': { type: 'string' },
  'allow-model': { type: 'string', multiple: true },
  json: { type: 'boolean' },
} as const;

/** Runs `keys …` on the stores of the settings, and returns the output. Every failure that an operator can expect is a ConfigError of one line. */
export function runKeysCommand(args: readonly string[], settings: Settings): Promise<string> {
  return describeFailures('keys', settings, async () => {
    const stores = await openStores(settings);
    try {
      return await keysCommand(args, stores);
    } finally {
      await stores.close();
    }
  });
}

/** Runs `keys …` and returns the output. @throws ConfigError for invalid arguments, with the usage. */
export async function keysCommand(args: readonly string[], stores: Stores): Promise<string> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [subcommand, target] = positionals;
  const limits = {
    requestsPerMinute: parseCount('--requests-per-minute', values['requests-per-minute']),
    tokensPerMinute: parseCount('--tokens-per-minute', values['tokens-per-minute']),
  };
  const keyLimits = () => ({
    ...limits,
    maxOutputTokens: parseCount('--max-output-tokens', values['max-output-tokens']),
    allowedModels: parseModels('--allow-model', values['allow-model']),
  });
  const { project, name, json } = values;
  switch (subcommand) {
    case 'create': {
      const created = makeKey({
        project: project === undefined ? undefined : parseProject('--project', project),
        name,
        role: parseRole(values.role),
        expires: parseExpiry('--expires', values.expires),
        ...keyLimits(),
      });
      const { id, project: projectId } = created.record;
      const changes = { name, role: created.record.role };
      await stores.keys.add(
        created.record,
        auditEntry('api_key.created', { project: projectId, resource: id, changes }),
      );
      return json
        ? toJson({ key: created.key, ...withoutHash(created.record) })
        : `${created.key}\n\n${table([created.record])}`;
    }
    case 'list': {
      const keys = await stores.keys.list(project);
      return json ? toJson(keys.map(withoutHash)) : table(keys);
    }
    case 'update': {
      const found = await findKey(stores, requireArgument(target, 'keys update <id> [options]'));
      const { id, project: projectId } = found;
      if (found.revoked !== null) throw new ConfigError(`The API key ${id} is revoked. Create a new key.`);
      const changes = withoutUndefined({
        name,
        role: parseRole(values.role),
        expires: parseExpiry('--expires', values.expires),
        ...keyLimits(),
      });
      if (Object.keys(changes).length === 0) throw new ConfigError('Usage: keys update <id> with at least one option');
      const entry = auditEntry('api_key.updated', { project: projectId, resource: id, changes });
      const updated = await stores.keys.update(id, changes, entry);
      if (!updated) throw new ConfigError(`No API key has the ID ${id}.`);
      return json ? toJson(withoutHash(updated)) : table([updated]);
    }
    case 'rotate': {
      const found = await findKey(stores, requireArgument(target, 'keys rotate <id> [--grace 1h]'));
      const { id, project: projectId } = found;
      const now = nowInSeconds();
      if (found.revoked !== null) throw new ConfigError(`The API key ${id} is revoked. Create a new key.`);
      if (found.expires !== null && found.expires <= now)
        throw new ConfigError(
          `The API key ${id} is expired, and a new secret would be too. Change its expiry first: keys update ${id} --expires 30d`,
        );
      const { key, ...secret } = makeSecret();
      const graceEnd = parseEnd('--grace', values.grace);
      const init = {
        ...secret,
        previousValidUntil: graceEnd ?? now,
        ...(graceEnd !== undefined && { unlessPreviousValidAt: now }),
      };
      const rotated = await stores.keys.rotate(
        id,
        init,
        auditEntry('api_key.rotated', { project: projectId, resource: id }),
      );
      if (!rotated) {
        throw new ConfigError(
          `The previous secret of the API key ${id} is still valid. Wait until its grace period ends, or rotate without --grace, which ends it immediately.`,
        );
      }
      return json ? toJson({ key, ...withoutHash(rotated) }) : `${key}\n\n${table([rotated])}`;
    }
    case 'revoke': {
      const { id, project: projectId } = await findKey(stores, requireArgument(target, 'keys revoke <id>'));
      const entry = auditEntry('api_key.deleted', { project: projectId, resource: id });
      const revoked = await stores.keys.revoke(id, nowInSeconds(), entry);
      if (!revoked) throw new ConfigError(`No API key has the ID ${id}.`);
      return json ? toJson(withoutHash(revoked)) : table([revoked]);
    }
    case 'limit': {
      const id = parseProject('<project>', requireArgument(target, 'keys limit <project>'));
      const rates = {
        requestsPerMinute: limits.requestsPerMinute ?? null,
        tokensPerMinute: limits.tokensPerMinute ?? null,
      };
      const created = { id, name: id, created: nowInSeconds(), archived: null, storageLimitBytes: null };
      const entry = auditEntry('project.updated', { project: id, resource: id, changes: rates });
      await stores.keys.addProject({ ...created, ...rates, allowedModels: null, maxOutputTokens: null });
      await stores.keys.updateProject(id, rates, entry);
      const record = { id, ...rates };
      return json ? toJson(record) : `${id}: ${describeLimits(record)}\n`;
    }
    default:
      throw new ConfigError(
        `${subcommand === undefined ? 'Missing command' : `Unknown command 'keys ${subcommand}'`}. Use keys create, list, update, rotate, revoke or limit: see keys --help.`,
      );
  }
}

async function findKey(stores: Stores, id: string): Promise<KeyRecord> {
  const key = await stores.keys.get(id);
  if (!key) throw new ConfigError(`No API key has the ID ${id}.`);
  return key;
}

/** The entry in the audit log for a command on this machine. */
function auditEntry(
  type: AuditEntry['type'],
  { project, resource, changes = {} }: { project: string; resource: string; changes?: AuditEntry['changes'] },
): AuditEntry {
  const id = `audit_log-${randomUUID().replaceAll('-', '')}`;
  return { id, type, at: nowInSeconds(), actor: null, actorName: null, project, resource, changes };
}

const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

function withoutHash({ hash, ...rest }: KeyRecord): Omit<KeyRecord, 'hash'> {
  return rest;
}

function withoutUndefined<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
}

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function table(keys: readonly KeyRecord[]): string {
  const rows = keys.map((key) => [
    key.id,
    key.hint,
    key.project,
    key.role,
    describeState(key),
    describeLimits(key),
    key.name,
  ]);
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

function describeState({ revoked, expires }: KeyRecord): string {
  if (revoked !== null) return 'revoked';
  if (expires === null) return 'valid';
  return expires * 1000 <= Date.now() ? 'expired' : `until ${new Date(expires * 1000).toISOString().slice(0, 16)}`;
}

function describeLimits({
  requestsPerMinute,
  tokensPerMinute,
  maxOutputTokens = null,
  allowedModels = null,
}: Pick<KeyRecord, 'requestsPerMinute' | 'tokensPerMinute'> &
  Partial<Pick<KeyRecord, 'maxOutputTokens' | 'allowedModels'>>): string {
  const limits = [
    requestsPerMinute === null ? '' : `${requestsPerMinute} requests/min`,
    tokensPerMinute === null ? '' : `${tokensPerMinute} tokens/min`,
    maxOutputTokens === null ? '' : `${maxOutputTokens} output tokens`,
    allowedModels === null ? '' : `models: ${allowedModels.join(' ') || '-'}`,
  ].filter(Boolean);
  return limits.join(', ') || 'none';
}
