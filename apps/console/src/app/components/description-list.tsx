interface Props {
  readonly entries: readonly (readonly [name: string, value: React.ReactNode])[];
  /** `grid`: one card per entry. `inline`: all entries in a line. */
  readonly layout?: 'grid' | 'inline';
}

/** A list of names and values. */
export function DescriptionList({ entries, layout = 'grid' }: Props) {
  return (
    <dl className={layout}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
