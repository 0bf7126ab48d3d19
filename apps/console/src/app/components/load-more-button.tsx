import { Button } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';

interface Props {
  /** The name of the entries, such as "videos". */
  readonly entries: string;
  readonly query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
}

/** Loads the next page of a list. Hidden if there is none. */
export function LoadMoreButton({ entries, query }: Props) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  if (!hasNextPage) return null;
  return (
    <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {isFetchingNextPage ? 'Loading…' : `Load more ${entries}`}
    </Button>
  );
}
