import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { referenceURL } from '../api/urls.ts';
import { mayOpen } from '../api/permissions.ts';
import { sessionQuery, signOut } from '../api/session.ts';
import { Icon } from '../components/icon.tsx';
import { navigation } from './navigation.ts';
import { Reconnect } from './reconnect.tsx';
import { useSession } from './session-context.ts';
import { Shortcuts } from './shortcuts.tsx';
import { ThemeSelect } from './theme-select.tsx';

/** The layout of every page: navigation, account, and a notice while the server does not respond. */
export function Layout({ children }: { readonly children: React.ReactNode }) {
  const [menuOpen, setMenuOpen] = useState(false);
  const { pathname } = useLocation();
  // On narrow screens the menu covers the page: it closes after navigation.
  useEffect(() => setMenuOpen(false), [pathname]);
  return (
    <div className="frame">
      <a className="skip" href="#content" onClick={focusContent}>
        Skip to content
      </a>
      <header className="top">
        <span className="brand">Modelwire</span>
        <button
          type="button"
          className="menu-button"
          aria-expanded={menuOpen}
          aria-controls="side"
          onClick={() => setMenuOpen(!menuOpen)}
        >
          Menu
        </button>
      </header>
      <div id="side" className={menuOpen ? 'side open' : 'side'}>
        <Navigation />
        <Account />
      </div>
      <main id="content" tabIndex={-1}>
        <Reconnect />
        {children}
      </main>
    </div>
  );
}

/** Not by the link itself: a fragment is resolved against `<base>`, which is the URL of another page. */
function focusContent(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

function Navigation() {
  const session = useSession();
  return (
    <nav aria-label="Pages">
      <ul>
        {navigation
          .filter(({ page }) => mayOpen(session, page))
          .map(({ page, label, icon }) => (
            <li key={page}>
              <Link to={`/${page}`} activeProps={{ 'aria-current': 'page' }}>
                <Icon path={icon} />
                {label}
              </Link>
            </li>
          ))}
        <li>
          <a href={referenceURL} target="_blank" rel="noreferrer">
            <Icon path="M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11" />
            API reference
          </a>
        </li>
      </ul>
    </nav>
  );
}

function Account() {
  const session = useSession();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
      queryClient.setQueryData(sessionQuery.queryKey, null);
    },
  });
  return (
    <div className="account">
      <dl className="facts">
        <div>
          <dt>Project</dt>
          <dd>{session.project}</dd>
        </div>
        <div>
          <dt>Key</dt>
          <dd>
            {session.key_name ?? 'unnamed'} ({session.role})
          </dd>
        </div>
        <div>
          <dt>Version</dt>
          <dd>{session.version}</dd>
        </div>
      </dl>
      <ThemeSelect />
      <Shortcuts />
      <button type="button" disabled={isPending} onClick={() => mutate()}>
        Sign out
      </button>
    </div>
  );
}
