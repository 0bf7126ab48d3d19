import { createContext, use } from 'react';

/** The tabs of the pages that share an entry of the navigation. They are the heading of their pages. */
export const PageTabs = createContext<React.ReactNode>(undefined);

interface Props {
  readonly title: React.ReactNode;
  /** Facts in one line below the title. */
  readonly subtitle?: React.ReactNode;
  readonly children?: React.ReactNode;
}

/** The heading of a page, with its actions. */
export function PageHeader({ title, subtitle, children }: Props) {
  const tabs = use(PageTabs);
  return (
    <div className={tabs === undefined ? 'page-header' : 'page-header with-tabs'}>
      <div>
        <h1 className={tabs === undefined ? undefined : 'visually-hidden'}>{title}</h1>
        {tabs}
        {subtitle !== undefined && <p className="note">{subtitle}</p>}
      </div>
      <div className="actions">{children}</div>
    </div>
  );
}
