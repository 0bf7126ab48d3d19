import { useInfiniteQuery } from '@tanstack/react-query';
import { projectsQuery } from '../api/organization.ts';

interface Props {
  readonly label: string;
  /** The text of the empty value. */
  readonly none: string;
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly required?: boolean;
}

/** Chooses one of the projects that are not archived. */
export function ProjectField({ label, none, value, onChange, required = false }: Props) {
  const { data, hasNextPage, fetchNextPage } = useInfiniteQuery(projectsQuery());
  return (
    <>
      <label className="field">
        {label}
        <select value={value} required={required} onChange={(event) => onChange(event.target.value)}>
          <option value="">{none}</option>
          {data?.pages
            .flatMap((page) => page.data)
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name === '' ? id : name}
              </option>
            ))}
        </select>
      </label>
      {hasNextPage && (
        <button type="button" onClick={() => void fetchNextPage()}>
          Load more projects
        </button>
      )}
    </>
  );
}
