import { Skeleton } from '@mantine/core';
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
      {query.isPending && <Loading />}
    </>
  );
}

/** Placeholders of the rows that are loading. */
function Loading() {
  return (
    <div className="stack" role="status" aria-label="Loading">
      {[100, 92, 96, 84].map((width) => (
        <Skeleton key={width} height={20} width={`${width}%`} />
      ))}
    </div>
  );
}
