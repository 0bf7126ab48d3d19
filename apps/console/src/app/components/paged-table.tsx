import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';
import { DataTable } from './data-table.tsx';
import type { TableProps } from './data-table.tsx';
import { QueryNotice } from './query-notice.tsx';

interface Props<T> extends Omit<
  TableProps<T>,
  'rows' | 'placeholder' | 'keyOf' | 'hasMore' | 'isLoadingMore' | 'onEndReached'
> {
  readonly query: UseInfiniteQueryResult<InfiniteData<{ readonly data: readonly T[] }>>;
  /** Shown instead of the table while the list has no entries. */
  readonly empty: React.ReactNode;
}

/** A list of the API as a table that loads the next page when its end scrolls into view. */
export function PagedTable<T extends { readonly id: string }>({ query, empty, ...table }: Props<T>) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const rows = data?.pages.flatMap((page) => page.data) ?? [];
  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const hasRows = rows.length > 0;
  const notice = <QueryNotice query={query} errorTitle={`The ${table.label.toLowerCase()} could not be loaded.`} />;
  const placeholder = (
    <>
      {notice}
      {data !== undefined && empty}
    </>
  );
  return (
    <>
      {hasRows && notice}
      {/* Without rows too: the filters stay the same elements, with what is being typed. */}
      <DataTable
        {...table}
        rows={rows}
        placeholder={hasRows ? undefined : placeholder}
        keyOf={({ id }) => id}
        hasMore={hasNextPage && error === null}
        isLoadingMore={isFetchingNextPage}
        onEndReached={loadMore}
      />
    </>
  );
}
