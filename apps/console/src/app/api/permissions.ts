/** The pages of the console. */
export type Page =
  | 'playground'
  | 'completions'
  | 'batches'
  | 'files'
  | 'videos'
  | 'moderation'
  | 'usage'
  | 'keys'
  | 'budgets'
  | 'audit'
  | 'webhooks'
  | 'models';

/** What a key may do: read what is stored, run models, change what is stored, administer all projects. */
export type Permission = 'read' | 'infer' | 'write' | 'operate';

interface Permitted {
  readonly permissions: readonly string[];
}

/** The permission that a page needs. A page without one is open to every key. */
const needed: Readonly<Record<Page, Permission | undefined>> = {
  playground: 'infer',
  completions: 'read',
  batches: 'read',
  files: 'read',
  videos: 'read',
  moderation: 'infer',
  usage: 'operate',
  keys: 'operate',
  budgets: 'operate',
  audit: 'operate',
  webhooks: 'operate',
  models: undefined,
};

export function isPermitted({ permissions }: Permitted, permission: Permission): boolean {
  return permissions.includes(permission);
}

/** Whether the session may open a page. What it may not is not shown. */
export function mayOpen(session: Permitted, page: Page): boolean {
  const permission = needed[page];
  return permission === undefined || isPermitted(session, permission);
}
