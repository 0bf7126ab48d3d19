import { Button } from '@mantine/core';
import { useState } from 'react';

interface Props {
  readonly label: string;
  readonly isOpenAtFirst?: boolean;
  /** Renders the dialog. */
  readonly children: (onClose: () => void) => React.ReactNode;
}

/** The main action of a page: opens a dialog. */
export function CreateButton({ label, isOpenAtFirst = false, children }: Props) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <>
      <Button variant="filled" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
