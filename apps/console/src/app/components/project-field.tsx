import { useInfiniteQuery } from '@tanstack/react-query';
import { projectsQuery } from '../api/organization.ts';
import { LoadMoreButton } from './load-more-button.tsx';
import { SelectField } from './select-field.tsx';

interface Props {
  readonly label: string;
  /** The label of the option for no project. */
  readonly emptyLabel: string;
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly required?: boolean;
}

/** Selects one of the projects that are not archived. */
export function ProjectField({ label, emptyLabel, value, onChange, required = false }: Props) {
  const query = useInfiniteQuery(projectsQuery());
  const projects = query.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <>
      <SelectField
        label={label}
        options={[
          { value: '', label: emptyLabel },
          ...projects.map(({ id, name }) => ({ value: id, label: name || id })),
        ]}
        value={value}
        required={required}
        onChange={onChange}
      />
      <LoadMoreButton entries="projects" query={query} />
    </>
  );
}
