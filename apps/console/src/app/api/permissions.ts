/** The pages of the console. */
export type Page =
  | 'home'
  | 'playground'
  | 'completions'
  | 'datasets'
  | 'comparisons'
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

/** Permissions of a key: read stored objects, run models, change stored objects, administer all projects. */
export type Permission = 'read' | 'infer' | 'write' | 'operate';

interface PermissionHolder {
  readonly permissions: readonly string[];
}

/** The permission that each page requires. Pages without one are available to every key. */
const requiredPermissions: Readonly<Record<Page, Permission | undefined>> = {
  home: 'operate',
  playground: 'infer',
  completions: 'read',
  datasets: 'read',
  comparisons: 'read',
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

export function isPermitted({ permissions }: PermissionHolder, permission: Permission): boolean {
  return permissions.includes(permission);
}

/** Whether the session may open a page. The navigation hides other pages. */
export function mayOpen(session: PermissionHolder, page: Page): boolean {
  const permission = requiredPermissions[page];
  return permission === undefined || isPermitted(session, permission);
}
