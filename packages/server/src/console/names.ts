import type { Call } from '../call.ts';
import type { ServerContext } from '../context.ts';
import type { Reply } from '../http/reply.ts';
import type { NameList, PersonList } from './api-types.ts';

/** GET /console/api/names: what the console calls projects, keys, budgets and webhooks, also those that are archived or revoked. */
export async function readNames(_call: Call<undefined, undefined>, { options }: ServerContext): Promise<Reply> {
  const { stores } = options;
  const [projects, keys, budgets, webhooks] = await Promise.all([
    stores?.keys.listProjects() ?? [],
    stores?.keys.list() ?? [],
    stores?.budgets.list() ?? [],
    stores?.webhooks.list() ?? [],
  ]);
  const body: NameList = {
    projects: projects.map(({ id, name }) => ({ id, name: name || id })),
    keys: keys.map(({ id, name, hint, project }) => ({ id, name: name || hint, hint, project })),
    budgets: budgets.map(({ id, subject, unit, period }) => ({ id, subject: subject.id, unit, period })),
    webhooks: webhooks.map(({ id, name, url }) => ({ id, name: name || url })),
  };
  return { status: 200, body };
}

/** GET /console/api/people: the people who signed in without a key, as the audit log names them. */
export async function readPeople(_call: Call<undefined, undefined>, { options }: ServerContext): Promise<Reply> {
  const body: PersonList = { people: (await options.stores?.audit.listPeople()) ?? [] };
  return { status: 200, body };
}
