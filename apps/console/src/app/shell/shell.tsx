import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { sessionQuery } from '../api/session.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Layout } from './layout.tsx';
import { PermissionGate } from './permission-gate.tsx';
import { Reconnect } from './reconnect.tsx';
import { SessionContext } from './session-context.ts';
import { SignIn } from './sign-in.tsx';

/** The root component: the sign-in form, or the layout with the page. */
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
      <Layout>
        <PermissionGate>
          <Outlet />
        </PermissionGate>
      </Layout>
    </SessionContext>
  );
}
