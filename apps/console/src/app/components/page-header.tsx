interface Props {
  readonly title: string;
  readonly children?: React.ReactNode;
}

/** The heading of a page, with its actions. */
export function PageHeader({ title, children }: Props) {
  return (
    <div className="page-header">
      <h1>{title}</h1>
      <div className="actions">{children}</div>
    </div>
  );
}
