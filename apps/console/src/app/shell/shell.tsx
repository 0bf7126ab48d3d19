import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { sessionQuery } from '../api/session.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Frame } from './frame.tsx';
import { Permitted } from './permitted.tsx';
import { Reconnect } from './reconnect.tsx';
import { SessionContext } from './session-context.ts';
import { SignIn } from './sign-in.tsx';

/** The root of every page: the sign-in form, or the frame with the page. */
export function Shell() {
  const { data: session, error, isPending, refetch } = useQuery(sessionQuery);
  if (isPending) return <p className="loading">Loading…</p>;
  if (session === undefined) {
    return (
      <main className="sign-in">
        <ErrorNotice title="The server does not respond." error={error} onRetry={() => void refetch()} />
        <Reconnect />
      </main>
    );
  }
  if (session === null) return <SignIn />;
  return (
    <SessionContext value={session}>
      <Frame>
        <Permitted>
          <Outlet />
        </Permitted>
      </Frame>
    </SessionContext>
  );
}
