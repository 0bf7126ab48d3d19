import type { Project } from '@modelwire/schema/types';
import { noAccessLimits } from '@modelwire/ports';
import type { ProjectRecord } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { RequestError, invalidState } from '../../errors.ts';
import { listOf } from '../../http/list.ts';
import { nowInSeconds } from '../../clock.ts';
import { storesOf } from '../../media/files/storage.ts';
import { auditEntry } from './audit.ts';
import { limitsOf, pageOf, wireLimits } from './limits.ts';
import type { HandlersOf } from '../../http/implement.ts';
import { objectInPath } from '../../http/object-in-path.ts';

const inPath = objectInPath('project', 'project_id');

export const projects: HandlersOf<'organization.projects'> = {
  async 'organization.projects.list'({ query }, server) {
    const all = await storesOf(server).keys.listProjects();
    const visible = query.include_archived === 'true' ? all : all.filter(({ archived }) => archived === null);
    return { status: 200, body: listOf(pageOf(visible.map(wireProject), query)) };
  },

  async 'organization.projects.create'(call, server) {
    const { body } = call;
    const project: ProjectRecord = {
      id: body.id ?? server.createId('proj_'),
      name: body.name,
      created: nowInSeconds(server.clock),
      archived: null,
      ...noAccessLimits,
      storageLimitBytes: body.storage_limit_bytes ?? null,
      ...limitsOf(body),
    };
    const { id } = project;
    const entry = auditEntry(call, server, { type: 'project.created', project: id, resource: id, changes: body });
    if (!(await storesOf(server).keys.addProject(project, entry))) {
      throw new RequestError(`A project with the ID '${id}' already exists. Choose another ID, or omit it.`, {
        status: 409,
        code: 'already_exists',
        param: 'id',
        headers: { 'x-should-retry': 'false' },
      });
    }
    return { status: 200, body: wireProject(project) };
  },

  async 'organization.projects.retrieve'(call, server) {
    const project = await findProject(call, server);
    const bytes = await storesOf(server).keys.storageBytes(project.id);
    const body: Project = { ...wireProject(project), storage_used_bytes: bytes };
    return { status: 200, body };
  },

  async 'organization.projects.update'(call, server) {
    const { body } = call;
    const { id } = await findActiveProject(call, server);
    const changes = {
      ...limitsOf(body),
      ...(body.name !== undefined && { name: body.name }),
      ...(body.storage_limit_bytes !== undefined && { storageLimitBytes: body.storage_limit_bytes }),
    };
    const entry = auditEntry(call, server, { type: 'project.updated', project: id, resource: id, changes: body });
    const updated = await storesOf(server).keys.updateProject(id, changes, entry);
    return { status: 200, body: wireProject(updated ?? inPath.throwNotFound(call)) };
  },

  async 'organization.projects.archive'(call, server) {
    const { id } = await findActiveProject(call, server);
    // The key of the request would be rejected from then on, and possibly no other key could undo it.
    if (id === call.principal.project) {
      throw invalidState(`The project '${id}' contains the key of this request. Use an admin key of another project.`);
    }
    const entry = auditEntry(call, server, { type: 'project.archived', project: id, resource: id });
    const archived = await storesOf(server).keys.archiveProject(id, nowInSeconds(server.clock), entry);
    return { status: 200, body: wireProject(archived ?? inPath.throwNotFound(call)) };
  },
};

/** @throws a 404. */
export async function findProject(call: Pick<Call, 'params'>, server: ServerContext): Promise<ProjectRecord> {
  return (await storesOf(server).keys.getProject(inPath.id(call))) ?? inPath.throwNotFound(call);
}

/** @throws a 404, or a 400 for a project that is archived. */
export async function findActiveProject(call: Pick<Call, 'params'>, server: ServerContext): Promise<ProjectRecord> {
  const project = await findProject(call, server);
  if (project.archived !== null) throw invalidState(`The project '${project.id}' is archived.`);
  return project;
}

function wireProject(project: ProjectRecord): Project {
  return {
    id: project.id,
    object: 'organization.project',
    name: project.name,
    status: project.archived === null ? 'active' : 'archived',
    created_at: project.created,
    archived_at: project.archived,
    ...wireLimits(project),
    storage_limit_bytes: project.storageLimitBytes,
  };
}
