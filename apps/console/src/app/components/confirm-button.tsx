import { useId, useRef } from 'react';

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
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  return (
    <>
      <button
        type="button"
        className="small danger"
        aria-label={description}
        disabled={disabled}
        onClick={() => dialog.current?.showModal()}
      >
        {label}
      </button>
      <dialog ref={dialog} aria-labelledby={id}>
        <h2 id={id}>{title}</h2>
        <p>{text}</p>
        <form method="dialog" className="actions">
          <button>Cancel</button>
          <button className="danger" onClick={onConfirm}>
            {confirmLabel}
          </button>
        </form>
      </dialog>
    </>
  );
}
