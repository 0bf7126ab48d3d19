import { Link } from '@tanstack/react-router';
import { ErrorNotice } from '../components/error-notice.tsx';

/** Shown instead of a page that failed to load or to render. */
export function PageError({ error, reset }: { readonly error: unknown; readonly reset: () => void }) {
  return <ErrorNotice title="This page failed." error={error} onRetry={reset} />;
}

export function NotFound() {
  return (
    <div className="empty">
      <h1>Page not found</h1>
      <p>
        The console has no page at this address. <Link to="/playground">Open the playground</Link>
      </p>
    </div>
  );
}
