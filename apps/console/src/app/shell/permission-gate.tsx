import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { mayOpen } from '../api/permissions.ts';
import { navigationOf } from './navigation.ts';
import { useSession } from './session-context.ts';

/** Shows a page only if the key has the required permission: a link can lead to any page. */
export function PermissionGate({ children }: { readonly children: React.ReactNode }) {
  const session = useSession();
  const { pathname } = useLocation();
  const item = navigationOf(pathname);
  const label = item?.label;
  useEffect(() => {
    document.title = label === undefined ? 'Modelwire' : `${label} - Modelwire`;
  }, [label]);
  if (item === undefined || mayOpen(session, item.page)) return children;
  return (
    <div className="empty">
      <h1>{item.label} needs another key</h1>
      <p>The key that you signed in with lacks the permission. Sign out, and sign in with a key that has it.</p>
    </div>
  );
}
