interface Props {
  readonly facts: readonly (readonly [name: string, value: React.ReactNode])[];
  /** In cards, or in a line. */
  readonly layout?: 'grid' | 'inline';
}

/** Names and values. */
export function FactGrid({ facts, layout = 'grid' }: Props) {
  return (
    <dl className={layout}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
