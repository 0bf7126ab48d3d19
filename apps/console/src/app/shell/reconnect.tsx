import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { markReachable, useIsReachable } from '../api/connection.ts';
import { sessionQuery } from '../api/session.ts';
import { Notice } from '../components/notice.tsx';

const pollMs = 2_000;

/** While the server does not respond, shows a notice and polls it every two seconds. Then reloads the data of the page. */
export function Reconnect() {
  const isReachable = useIsReachable();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (isReachable) return;
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
  }, [isReachable, queryClient]);
  if (isReachable) return null;
  return (
    <div className="banner">
      <Notice tone="warning">
        The server does not respond. The console reconnects by itself; what you see may be out of date.
      </Notice>
    </div>
  );
}
