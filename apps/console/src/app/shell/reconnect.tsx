import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { markReachable, useReachable } from '../api/connection.ts';
import { sessionQuery } from '../api/session.ts';

const pollMs = 2_000;

/** While the server does not respond: says so, asks again every two seconds, and then loads what the page shows again. */
export function Reconnect() {
  const reachable = useReachable();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (reachable) return;
    const timer = setInterval(() => {
      queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }).then(
        () => {
          markReachable();
          void queryClient.invalidateQueries();
        },
        () => undefined,
      );
    }, pollMs);
    return () => clearInterval(timer);
  }, [reachable, queryClient]);
  if (reachable) return null;
  return (
    <div className="notice warning banner" role="status">
      The server does not respond. The console reconnects by itself; what you see may be out of date.
    </div>
  );
}
