import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { foundKeysQuery } from '../../api/organization.ts';
import { namesQuery } from '../../api/names.ts';
import { QueryNotice } from '../../components/query-notice.tsx';
import { findKeys, maxFoundKeys } from './find-keys.ts';
import { KeyTable } from './key-table.tsx';

interface Props {
  /** A part of a name, an ID or a secret. */
  readonly text: string;
}

/** The keys of all projects that have a name, or a secret. */
export function FoundKeys({ text }: Props) {
  const names = useQuery(namesQuery);
  const found = findKeys(names.data?.keys ?? [], text);
  const query = useInfiniteQuery(foundKeysQuery(found.slice(0, maxFoundKeys)));
  if (names.data === undefined) return <QueryNotice query={names} errorTitle="The keys could not be loaded." />;
  return (
    <KeyTable query={query} hasProjects empty={<p className="note">No key of any project has this name or secret.</p>}>
      {() => (
        <div className="section-header">
          <h2>Found keys</h2>
          {found.length > maxFoundKeys && (
            <p className="note">
              The first {maxFoundKeys} of {found.length}.
            </p>
          )}
        </div>
      )}
    </KeyTable>
  );
}
