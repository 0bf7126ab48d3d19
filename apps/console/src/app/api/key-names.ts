import { useInfiniteQuery } from '@tanstack/react-query';
import { useSession } from '../shell/session-context.ts';
import { keysQuery } from './organization.ts';
import { isPermitted } from './permissions.ts';

/** The names of the keys of the project by their ID. Empty without the permission to list keys. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const session = useSession();
  const { data } = useInfiniteQuery({ ...keysQuery(session.project), enabled: isPermitted(session, 'operate') });
  const keys = data?.pages.flatMap((page) => page.data) ?? [];
  return new Map(keys.map(({ id, name }) => [id, name === '' ? id : name]));
}
