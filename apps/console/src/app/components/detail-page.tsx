import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { QueryNotice } from './query-notice.tsx';

const listTitles = {
  batches: 'Batches',
  completions: 'Completions',
  files: 'Files',
  videos: 'Videos',
  webhooks: 'Webhooks',
} as const;

/** A list of which each entry has a page of its own. */
export type List = keyof typeof listTitles;

interface Props<T> {
  readonly list: List;
  readonly query: UseQueryResult<T>;
  /** What failed, such as "The file could not be loaded." */
  readonly errorTitle: string;
  readonly children: (entry: T) => React.ReactNode;
}

/** The page of one entry of a list, with a link back to the list. */
export function DetailPage<T>({ list, query, errorTitle, children }: Props<T>) {
  return (
    <>
      <p>
        <Link to={`/${list}`}>{listTitles[list]}</Link>
      </p>
      <QueryNotice query={query} errorTitle={errorTitle} />
      {query.data !== undefined && children(query.data)}
    </>
  );
}
