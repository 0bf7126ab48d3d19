interface Props {
  readonly facts: readonly (readonly [name: string, value: React.ReactNode])[];
}

/** Names and values in cards. */
export function FactGrid({ facts }: Props) {
  return (
    <dl className="grid">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
