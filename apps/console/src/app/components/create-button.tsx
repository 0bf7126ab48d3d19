import { Button } from '@mantine/core';
import { useState } from 'react';

interface Props {
  readonly label: string;
  /** Filled for the main action of the page. */
  readonly variant?: 'default' | 'filled';
  readonly isOpenAtFirst?: boolean;
  /** Renders the dialog. */
  readonly children: (onClose: () => void) => React.ReactNode;
}

/** An action of a page: opens a dialog. */
export function CreateButton({ label, variant = 'filled', isOpenAtFirst = false, children }: Props) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <>
      <Button variant={variant} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
