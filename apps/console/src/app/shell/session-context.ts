import { createContext, use } from 'react';
import type { Session } from '../api/session.ts';

export const SessionContext = createContext<Session | undefined>(undefined);

/** The session of the page. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined) throw new Error('useSession is used outside of the shell');
  return session;
}
