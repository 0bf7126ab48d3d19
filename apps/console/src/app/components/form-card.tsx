interface Props {
  readonly title: string;
  readonly className?: string;
  readonly onSubmit: () => void;
  readonly children: React.ReactNode;
}

/** A form in a card of its own. */
export function FormCard({ title, className = 'card', onSubmit, children }: Props) {
  return (
    <form
      className={className}
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <h2>{title}</h2>
      {children}
    </form>
  );
}
