import { Button, NavLink } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { mayOpen } from '../api/permissions.ts';
import { useNames } from '../api/names.ts';
import { signOut } from '../api/session.ts';
import { consoleURL, referenceURL } from '../api/urls.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Icon } from '../components/icon.tsx';
import { PageTabs } from '../components/page-header.tsx';
import { quiet } from '../components/quiet.ts';
import { navigation, navigationOf } from './navigation.ts';
import type { NavigationEntry } from './navigation.ts';
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
  const current = navigationOf(pathname);
  const entry = current?.entry;
  const pages = usePagesOf()(entry ?? { label: '', pages: [], icon: '' });
  // The page of one entry of a list has a link back to the list instead.
  const hasTabs = pages.length > 1 && pathname === `/${current?.page ?? ''}`;
  return (
    <div className="frame">
      <a className="skip" href="#content" onClick={focusContent}>
        Skip to content
      </a>
      <header className="top">
        <Brand />
        <Button aria-expanded={menuOpen} aria-controls="side" onClick={() => setMenuOpen(!menuOpen)}>
          Menu
        </Button>
      </header>
      <div id="side" className={menuOpen ? 'side open' : 'side'}>
        <Brand />
        <Navigation current={entry} />
        <Account />
      </div>
      <main id="content" tabIndex={-1}>
        <Reconnect />
        <PageTabs value={hasTabs ? <Tabs label={entry?.label ?? ''} pages={pages} /> : undefined}>{children}</PageTabs>
      </main>
    </div>
  );
}

/** Not by the link itself: a fragment is resolved against `<base>`, which is the URL of another page. */
function focusContent(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

function Brand() {
  return (
    <span className="brand">
      <Icon path="M4 17V7l4 6 4-6 4 6 4-6v10" />
      Modelwire
    </span>
  );
}

function usePagesOf() {
  const session = useSession();
  return ({ pages }: NavigationEntry) => pages.filter(({ page }) => mayOpen(session, page));
}

function Navigation({ current }: { readonly current: NavigationEntry | undefined }) {
  const pagesOf = usePagesOf();
  return (
    <nav aria-label="Pages">
      {navigation.map(({ label, entries }) => {
        const shown = entries.filter((entry) => pagesOf(entry).length > 0);
        if (shown.length === 0) return null;
        return (
          <div key={entries[0]?.label} role="group" aria-label={label} className="nav-group">
            {label !== undefined && (
              <span className="nav-label" aria-hidden="true">
                {label}
              </span>
            )}
            {shown.map((entry) => (
              <NavLink
                key={entry.label}
                label={entry.label}
                leftSection={<Icon path={entry.icon} />}
                active={entry === current}
                renderRoot={(props) => (
                  <Link
                    {...props}
                    to={`/${pagesOf(entry)[0]?.page ?? 'models'}`}
                    aria-current={entry === current ? 'page' : undefined}
                  />
                )}
              />
            ))}
          </div>
        );
      })}
    </nav>
  );
}

/** The pages that share the entry of the navigation. */
function Tabs({ label, pages }: Pick<NavigationEntry, 'label' | 'pages'>) {
  return (
    <nav aria-label={label} className="tabs">
      {pages.map(({ page, label: name }) => (
        <Link key={page} to={`/${page}`} activeProps={{ 'aria-current': 'page' }}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

function Account() {
  const session = useSession();
  const { nameOf } = useNames();
  const { mutate, isPending, error } = useMutation({
    mutationFn: signOut,
    // A new page: nothing of the session stays in memory.
    onSuccess: (providerUrl) => location.assign(providerUrl ?? consoleURL),
  });
  return (
    <div className="account">
      <div>
        <strong>{session.key_name ?? 'Unnamed key'}</strong>
        <span className="note">
          {session.role} of project {nameOf(session.project)}
        </span>
      </div>
      <div className="account-links">
        <Button component="a" size="compact-xs" {...quiet} href={referenceURL} target="_blank" rel="noreferrer">
          API reference
        </Button>
        <Shortcuts />
        <Button size="compact-xs" {...quiet} disabled={isPending} onClick={() => mutate()}>
          Sign out
        </Button>
        <span className="note">{session.version}</span>
      </div>
      <ThemeSelect />
      {error !== null && <ErrorNotice title="The session was not ended." error={error} />}
    </div>
  );
}
