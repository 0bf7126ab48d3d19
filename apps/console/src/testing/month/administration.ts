import { Modelwire } from '@modelwire/client';
import type { ServerProcess } from '../server-process.ts';
import { applications } from './applications.ts';
import type { TimedEvent } from './timed-event.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The people and the programs that use the server, with a client each. */
export interface Team {
  /** The key of Ana, who administers the server. */
  readonly key: string;
  readonly ana: Modelwire;
  readonly ben: Modelwire;
  /** The client of an application. */
  clientOf(project: string, key: string): Modelwire;
  /** The ID of a project, or that of a key. */
  idOf(project: string, key?: string): string;
}

/** Creates projects and keys for the applications, and for two administrators. */
export async function createTeam({ url, key }: ServerProcess): Promise<Team> {
  const connect = (apiKey: string) => new Modelwire({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
  const { projects } = connect(key).organization;
  const shop = await projects.create({ name: 'Shop', requests_per_minute: 600 });
  const ana = await projects.apiKeys.create(shop.id, { name: 'Ana Ruiz', role: 'admin' });
  const ben = await projects.apiKeys.create(shop.id, { name: 'Ben Okafor', role: 'admin' });
  const administrator = connect(ana.value);
  const ids = new Map([['Shop', shop.id]]);
  const clients = new Map<string, Modelwire>();
  for (const { project, keys } of applications) {
    const id = ids.get(project) ?? (await administrator.organization.projects.create({ name: project })).id;
    ids.set(project, id);
    for (const name of new Set(keys)) {
      const made = await administrator.organization.projects.apiKeys.create(id, { name, role: 'inference_only' });
      ids.set(`${project} ${name}`, made.id);
      clients.set(`${project} ${name}`, connect(made.value));
    }
  }
  return {
    key: ana.value,
    ana: administrator,
    ben: connect(ben.value),
    clientOf: (project, name) => valueOf(clients, `${project} ${name}`),
    idOf: (project, name) => valueOf(ids, name === undefined ? project : `${project} ${name}`),
  };
}

function valueOf<Value>(map: ReadonlyMap<string, Value>, name: string): Value {
  const value = map.get(name);
  if (value === undefined) throw new Error(`There is no ${name}`);
  return value;
}

/** What the administrators change in the course of the month. Budgets begin with their period, so that it counts completely. */
export function administer({ ana, ben, idOf }: Team, nowMs: number): readonly TimedEvent[] {
  const today = new Date(nowMs);
  const intoDayMs = nowMs % dayMs;
  const intoMonthMs = intoDayMs + (today.getUTCDate() - 1) * dayMs;
  const { budgets, projects, webhooks } = ana.organization;
  return [
    {
      agoMs: 29.5 * dayMs,
      run: () => webhooks.create({ url: 'https://hooks.example.com/modelwire', name: 'Alerts' }),
    },
    {
      agoMs: Math.min(29 * dayMs, intoMonthMs),
      run: async () => {
        await budgets.create({
          project_id: idOf('Shop'),
          unit: 'cost',
          period: 'month',
          soft_limit: 4.8e6,
          hard_limit: 6e6,
        });
        await budgets.create({ api_key_id: idOf('Shop', 'staging'), unit: 'cost', period: 'month', hard_limit: 2e6 });
        await budgets.create({ project_id: idOf('Reports'), unit: 'tokens', period: 'month', hard_limit: 240_000 });
      },
    },
    {
      agoMs: 21 * dayMs,
      run: () => ben.organization.projects.update(idOf('Search'), { requests_per_minute: 300 }),
    },
    {
      agoMs: 9.2 * dayMs,
      run: async () => {
        const ci = await projects.apiKeys.create(idOf('Shop'), { name: 'ci' });
        await ben.organization.projects.apiKeys.delete(ci.id, { project_id: idOf('Shop') });
      },
    },
    {
      agoMs: 3.1 * dayMs,
      run: () =>
        projects.apiKeys.update(idOf('Reports', 'notebook'), {
          project_id: idOf('Reports'),
          tokens_per_minute: 50_000,
        }),
    },
    {
      agoMs: intoDayMs,
      run: () =>
        budgets.create({
          project_id: idOf('Search'),
          unit: 'tokens',
          period: 'day',
          soft_limit: 20_000,
          hard_limit: 80_000,
        }),
    },
  ];
}
