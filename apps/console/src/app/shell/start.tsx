import { Navigate } from '@tanstack/react-router';
import { mayOpen } from '../api/permissions.ts';
import { navigationEntries } from './navigation.ts';
import { useSession } from './session-context.ts';

/** The start page: the first page that the key may open. */
export function Start() {
  const session = useSession();
  const first = navigationEntries.flatMap(({ pages }) => pages).find(({ page }) => mayOpen(session, page));
  return first === undefined ? null : <Navigate to={`/${first.page}`} replace />;
}
