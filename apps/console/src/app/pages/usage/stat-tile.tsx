interface Props {
  readonly label: React.ReactNode;
  readonly value: string;
  /** The unit of the value, if the value does not contain it. */
  readonly unit?: string;
  /** A second figure. */
  readonly note: string;
  readonly tone?: 'bad' | undefined;
}

/** A figure that is larger than its label. */
export function StatTile({ label, value, unit, note, tone }: Props) {
  return (
    <div className="tile" data-tone={tone}>
      <span className="tile-label">{label}</span>
      <strong>
        {value}
        {unit !== undefined && <span className="note"> {unit}</span>}
      </strong>
      <span className="note">{note}</span>
    </div>
  );
}
