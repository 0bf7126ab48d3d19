import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';
import { DataTable } from './data-table.tsx';
import type { TableProps } from './data-table.tsx';
import { QueryNotice } from './query-notice.tsx';

interface Props<T> extends Omit<TableProps<T>, 'rows' | 'keyOf' | 'hasMore' | 'isLoadingMore' | 'onEndReached'> {
  readonly query: UseInfiniteQueryResult<InfiniteData<{ readonly data: readonly T[] }>>;
  /** Shown instead of the table while the list has no entries. */
  readonly empty: React.ReactNode;
}

/** A list of the API as a table that loads the next page when its end scrolls into view. */
export function PagedTable<T extends { readonly id: string }>({ query, empty, ...table }: Props<T>) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const rows = data?.pages.flatMap((page) => page.data) ?? [];
  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  return (
    <>
      <QueryNotice query={query} errorTitle={`The ${table.label.toLowerCase()} could not be loaded.`} />
      {data !== undefined && rows.length === 0 && empty}
      {rows.length > 0 && (
        <DataTable
          {...table}
          rows={rows}
          keyOf={({ id }) => id}
          hasMore={hasNextPage && error === null}
          isLoadingMore={isFetchingNextPage}
          onEndReached={loadMore}
        />
      )}
    </>
  );
}
