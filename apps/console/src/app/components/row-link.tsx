import { useRouter } from '@tanstack/react-router';
import { consoleURL } from '../api/urls.ts';
import type { ListName } from './detail-page.tsx';

interface Props {
  readonly list: ListName;
  readonly id: string;
  readonly children: React.ReactNode;
}

/** A link from a row of a list to its page. The `Link` of the router subscribes to the router state, which is too slow for rows of a scrolling table. */
export function RowLink({ list, id, children }: Props) {
  const router = useRouter();
  const path = `${list}/${encodeURIComponent(id)}`;
  return (
    <a
      href={new URL(path, consoleURL).href}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        void router.navigate({ to: `/${list}/$id`, params: { id } });
      }}
    >
      {children}
    </a>
  );
}
