import { Button } from '@mantine/core';
import { useState } from 'react';
import { Modal } from './modal.tsx';
import { quiet } from './quiet.ts';

interface Props {
  readonly label: string;
  /** The accessible name, if several buttons have the same label. */
  readonly description?: string;
  readonly title: string;
  readonly text: string;
  readonly confirmLabel: string;
  readonly disabled?: boolean;
  readonly onConfirm: () => void;
}

/** A button whose action requires confirmation in a dialog. */
export function ConfirmButton({ label, description, title, text, confirmLabel, disabled = false, onConfirm }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...quiet} aria-label={description} disabled={disabled} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Modal title={title} onClose={() => setOpen(false)}>
          {(close) => (
            <>
              <p>{text}</p>
              <div className="actions">
                <Button
                  className="destructive"
                  variant="filled"
                  onClick={() => {
                    close();
                    onConfirm();
                  }}
                >
                  {confirmLabel}
                </Button>
                <Button onClick={close}>Cancel</Button>
              </div>
            </>
          )}
        </Modal>
      )}
    </>
  );
}
