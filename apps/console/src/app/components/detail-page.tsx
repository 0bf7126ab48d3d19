import { useQuery } from '@tanstack/react-query';
import type { UseQueryOptions } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { QueryNotice } from './query-notice.tsx';

const lists = {
  batches: { title: 'Batches', entry: 'batch' },
  comparisons: { title: 'Comparisons', entry: 'comparison' },
  completions: { title: 'Completions', entry: 'completion' },
  datasets: { title: 'Datasets', entry: 'dataset' },
  files: { title: 'Files', entry: 'file' },
  videos: { title: 'Videos', entry: 'video' },
  webhooks: { title: 'Webhooks', entry: 'webhook' },
} as const;

/** A list whose entries have pages of their own. */
export type ListName = keyof typeof lists;

export interface DetailProps<T> {
  readonly entry: T;
}

/** Creates the page of one entry of a list, with a link back to the list. */
export function createDetailPage<T>(
  list: ListName,
  createQuery: (id: string) => UseQueryOptions<T, Error, T, string[]>,
  Detail: React.FunctionComponent<DetailProps<T>>,
): React.FunctionComponent {
  const route = getRouteApi(`/${list}/$id`);
  return function DetailPage() {
    const { id } = route.useParams();
    const query = useQuery(createQuery(id));
    return (
      <>
        <nav aria-label="Back" className="back">
          <Link to={`/${list}`}>{lists[list].title}</Link>
        </nav>
        <QueryNotice query={query} errorTitle={`The ${lists[list].entry} could not be loaded.`} />
        {query.data !== undefined && <Detail key={id} entry={query.data} />}
      </>
    );
  };
}
