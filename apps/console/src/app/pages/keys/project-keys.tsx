import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { keysQuery, projectQuery } from '../../api/organization.ts';
import { CreateButton } from '../../components/create-button.tsx';
import { CreateKey } from './create-key.tsx';
import { KeyTable } from './key-table.tsx';

/** The keys of a project. */
export function ProjectKeys({ project }: { readonly project: string }) {
  const query = useInfiniteQuery(keysQuery(project));
  const { data: details } = useQuery(projectQuery(project));
  // Prevents a layout shift: the project is shown above the keys.
  if (details === undefined) return null;
  return (
    <KeyTable query={query} empty={<p className="note">The project has no stored keys.</p>}>
      {(onCreated) => (
        <div className="section-header">
          <h2>Keys</h2>
          {details.archived_at === null && (
            <CreateButton label="New key">
              {(onClose) => <CreateKey project={project} onCreated={onCreated} onClose={onClose} />}
            </CreateButton>
          )}
        </div>
      )}
    </KeyTable>
  );
}
