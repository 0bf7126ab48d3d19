interface Props {
  readonly title: React.ReactNode;
  /** Facts in one line below the title. */
  readonly subtitle?: React.ReactNode;
  readonly children?: React.ReactNode;
}

/** The heading of a page, with its actions. */
export function PageHeader({ title, subtitle, children }: Props) {
  return (
    <div className="page-header">
      <div>
        <h1>{title}</h1>
        {subtitle !== undefined && <p className="note">{subtitle}</p>}
      </div>
      <div className="actions">{children}</div>
    </div>
  );
}
