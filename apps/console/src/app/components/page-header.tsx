interface Props {
  readonly title: string;
  /** Adds a button that reloads the data. */
  readonly onRefresh?: () => Promise<unknown>;
  readonly isRefreshing?: boolean;
  readonly children?: React.ReactNode;
}

/** The heading of a page, with its actions. */
export function PageHeader({ title, onRefresh, isRefreshing = false, children }: Props) {
  return (
    <div className="page-header">
      <h1>{title}</h1>
      <div className="actions">
        {onRefresh !== undefined && (
          <button type="button" className="small" disabled={isRefreshing} onClick={() => void onRefresh()}>
            Refresh
          </button>
        )}
        {children}
      </div>
    </div>
  );
}
