import { Button } from '@mantine/core';

interface Props {
  /** How many entries are selected. */
  readonly text: string;
  readonly isBusy: boolean;
  readonly onClear: () => void;
  /** The actions, and their errors. */
  readonly children: React.ReactNode;
}

/** The actions for the selected rows of a list. */
export function Selection({ text, isBusy, onClear, children }: Props) {
  return (
    <section className="selection" aria-label="Selection">
      <span role="status">{text}</span>
      {children}
      <Button disabled={isBusy} onClick={onClear}>
        Clear selection
      </Button>
    </section>
  );
}
