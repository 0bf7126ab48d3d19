import { useRouter } from '@tanstack/react-router';
import { consoleURL } from '../api/addresses.ts';
import type { List } from './detail-page.tsx';

interface Props {
  readonly list: List;
  readonly id: string;
  readonly children: React.ReactNode;
}

/** A link from a row of a list to its page. The router's own link observes its state, which is too slow for rows that scroll by. */
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
