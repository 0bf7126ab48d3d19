import type { Session } from './session.ts';

/** The pages of the console. */
export type Page =
  'playground' | 'completions' | 'batches' | 'files' | 'videos' | 'moderation' | 'usage' | 'keys' | 'models';

/** The permissions of which a key needs one, for the pages that not every key may open. Administrators may open every page. */
const needed: Readonly<Partial<Record<Page, 'admin' | 'write'>>> = {
  playground: 'write',
  moderation: 'write',
  usage: 'admin',
  keys: 'admin',
};

/** Whether the session may open a page. What it may not is not shown. */
export function mayOpen(session: Pick<Session, 'role'>, page: Page): boolean {
  const rule = needed[page];
  if (rule === undefined || session.role === 'admin') return true;
  return rule === 'write' && session.role === 'member';
}

/** Whether the session may create, change and delete. */
export function mayWrite(session: Pick<Session, 'role'>): boolean {
  return session.role !== 'read';
}
