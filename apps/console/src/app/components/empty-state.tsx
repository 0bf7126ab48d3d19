import { CodeBlock } from './code-block.tsx';

interface Props {
  readonly title: string;
  readonly children?: React.ReactNode;
  /** The command that creates the first entry. */
  readonly command?: string;
}

/** Shown instead of a list that has no entries. */
export function EmptyState({ title, children, command }: Props) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
      {command !== undefined && <CodeBlock code={command} label="Shell" />}
    </div>
  );
}
