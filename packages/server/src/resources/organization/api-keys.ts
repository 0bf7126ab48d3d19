import type {
  ProjectApiKey,
  ProjectApiKeyDeleted,
  ProjectApiKeyUpdateParams,
  ProjectApiKeyWithValue,
} from '@modelwire/schema/types';
import { invalid } from '@modelwire/ports';
import type { KeyRecord } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { rotationInProgress, invalidState } from '../../errors.ts';
import { listOf } from '../../http/list.ts';
import { makeKey, makeSecret } from '../../keys/make-key.ts';
import { nowInSeconds } from '../../clock.ts';
import { storesOf } from '../../media/files/storage.ts';
import { auditEntry } from './audit.ts';
import { limitsOf, pageOf, wireLimits } from './limits.ts';
import { findActiveProject, findProject } from './projects.ts';
import type { HandlersOf } from '../../http/implement.ts';
import { objectInPath } from '../../http/object-in-path.ts';

const inPath = objectInPath('API key', 'api_key_id');

export const apiKeys: HandlersOf<'organization.projects.api_keys'> = {
  async 'organization.projects.api_keys.list'(call, server) {
    const { id } = await findProject(call, server);
    await server.meter.flush();
    const keys = await storesOf(server).keys.list(id);
    return { status: 200, body: listOf(pageOf(keys.map(wireKey), call.query)) };
  },

  async 'organization.projects.api_keys.create'(call, server) {
    const { body } = call;
    refusePastExpiry(body, server);
    const { id: project } = await findActiveProject(call, server);
    const { key, record } = makeKey({
      created: nowInSeconds(server.clock),
      project,
      role: body.role,
      name: body.name,
      expires: body.expires_at,
      ...limitsOf(body),
    });
    const entry = auditEntry(call, server, { type: 'api_key.created', project, resource: record.id, changes: body });
    await storesOf(server).keys.add(record, entry);
    return { status: 200, body: { ...wireKey(record), value: key } satisfies ProjectApiKeyWithValue };
  },

  async 'organization.projects.api_keys.retrieve'(call, server) {
    await server.meter.flush();
    return { status: 200, body: wireKey(await findKey(call, server)) };
  },

  async 'organization.projects.api_keys.update'(call, server) {
    const { body } = call;
    refusePastExpiry(body, server);
    const { id, project } = await findValidKey(call, server);
    const changes = {
      ...limitsOf(body),
      ...(body.name !== undefined && { name: body.name }),
      ...(body.role !== undefined && { role: body.role }),
      ...(body.expires_at !== undefined && { expires: body.expires_at }),
    };
    const entry = auditEntry(call, server, { type: 'api_key.updated', project, resource: id, changes: body });
    const updated = await storesOf(server).keys.update(id, changes, entry);
    return { status: 200, body: wireKey(updated ?? inPath.throwNotFound(call)) };
  },

  async 'organization.projects.api_keys.rotate'(call, server) {
    const { grace_seconds: grace = 0 } = call.body;
    const { id, project, expires } = await findValidKey(call, server);
    if (expires !== null && expires <= nowInSeconds(server.clock))
      throw invalidState(
        `The key '${id}' is expired, and a new secret would be too. Change its 'expires_at' first, or create a new key.`,
      );
    const { key, hash, hint } = makeSecret();
    const entry = auditEntry(call, server, { type: 'api_key.rotated', project, resource: id, changes: call.body });
    const now = nowInSeconds(server.clock);
    const init = { hash, hint, previousValidUntil: now + grace, ...(grace > 0 && { unlessPreviousValidAt: now }) };
    const rotated = await storesOf(server).keys.rotate(id, init, entry);
    // Keys are never removed.
    if (!rotated) throw rotationInProgress('API key', id);
    return { status: 200, body: { ...wireKey(rotated), value: key } satisfies ProjectApiKeyWithValue };
  },

  async 'organization.projects.api_keys.delete'(call, server) {
    const { id, project } = await findKey(call, server);
    const entry = auditEntry(call, server, { type: 'api_key.deleted', project, resource: id });
    await storesOf(server).keys.revoke(id, nowInSeconds(server.clock), entry);
    const body: ProjectApiKeyDeleted = { id, object: 'organization.project.api_key.deleted', deleted: true };
    return { status: 200, body };
  },
};

/** @throws a 400 for a key that would expire at once. */
function refusePastExpiry(
  { expires_at: expires }: Pick<ProjectApiKeyUpdateParams, 'expires_at'>,
  server: ServerContext,
): void {
  if (typeof expires !== 'number' || expires > nowInSeconds(server.clock)) return;
  const reason = 'expected a time in the future, in seconds since 1970. To end a key now, delete it.';
  throw invalid('expires_at', `expires_at: ${reason}`);
}

/** @throws a 404, also for the key of another project than the path names. */
async function findKey(call: Pick<Call, 'params'>, server: ServerContext): Promise<KeyRecord> {
  const key = await storesOf(server).keys.get(inPath.id(call));
  return key && key.project === call.params['project_id'] ? key : inPath.throwNotFound(call);
}

/** @throws a 404, or a 400 for a key that is revoked. */
async function findValidKey(call: Pick<Call, 'params'>, server: ServerContext): Promise<KeyRecord> {
  const key = await findKey(call, server);
  if (key.revoked !== null) throw invalidState(`The key '${key.id}' is revoked. Create a new key.`);
  return key;
}

function wireKey(key: KeyRecord): ProjectApiKey {
  return {
    id: key.id,
    object: 'organization.project.api_key',
    name: key.name,
    redacted_value: key.hint,
    project_id: key.project,
    role: key.role,
    created_at: key.created,
    last_used_at: key.lastUsed,
    expires_at: key.expires,
    revoked_at: key.revoked,
    ...wireLimits(key),
  };
}
