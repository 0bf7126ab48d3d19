import type { UseQueryResult } from '@tanstack/react-query';
import { ErrorNotice } from './error-notice.tsx';

interface Props {
  readonly query: Pick<UseQueryResult, 'error' | 'isPending'> & { readonly refetch: () => Promise<unknown> };
  /** What failed, such as "The files could not be loaded." */
  readonly errorTitle: string;
}

/** Shows that a query is loading, or its error. Otherwise renders nothing. */
export function QueryNotice({ query, errorTitle }: Props) {
  return (
    <>
      {query.error !== null && (
        <ErrorNotice title={errorTitle} error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <p className="loading">Loading…</p>}
    </>
  );
}
