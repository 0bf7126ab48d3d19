interface Props {
  readonly label: string;
  readonly value: string;
  /** A second figure or the unit. */
  readonly note: string;
  readonly tone?: 'bad' | undefined;
}

/** A figure that is larger than its label. */
export function StatTile({ label, value, note, tone }: Props) {
  return (
    <div className="tile" data-tone={tone}>
      <span className="tile-label">{label}</span>
      <strong>{value}</strong>
      <span className="note">{note}</span>
    </div>
  );
}
