import { CloseButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { completionQuery } from '../../api/completions.ts';
import { PageTabs } from '../../components/page-header.tsx';
import { QueryNotice } from '../../components/query-notice.tsx';
import { EntryDetail } from './completion.tsx';

interface Props {
  readonly id: string;
  readonly onClose: () => void;
}

/** One completion beside the log. */
export function CompletionPanel({ id, onClose }: Props) {
  const query = useQuery(completionQuery(id));
  return (
    <aside className="panel" aria-label="Completion">
      <div className="panel-bar">
        <Link to="/completions/$id" params={{ id }}>
          Open page
        </Link>
        <span className="note">j and k: next and previous, Esc: close</span>
        <CloseButton aria-label="Close completion" onClick={onClose} />
      </div>
      <QueryNotice query={query} errorTitle="The completion could not be loaded." />
      {query.data !== undefined && (
        <PageTabs value={undefined}>
          <EntryDetail entry={query.data} />
        </PageTabs>
      )}
    </aside>
  );
}
