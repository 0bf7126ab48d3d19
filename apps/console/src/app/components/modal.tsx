import { useEffect, useId, useRef } from 'react';

interface Props {
  readonly title: string;
  /** Called after it was closed, also by Escape. */
  readonly onClose: () => void;
  /** The content with a button that closes the dialog, or a function that renders both. */
  readonly children: React.ReactNode | ((close: () => void) => React.ReactNode);
}

/** A dialog that is open while it is rendered. The browser keeps the focus in it and restores the focus when it is closed. */
export function Modal({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  const close = (): void => dialog.current?.close();
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {typeof children === 'function' ? (
        children(close)
      ) : (
        <>
          {children}
          <div className="actions">
            <button type="button" onClick={close}>
              Close
            </button>
          </div>
        </>
      )}
    </dialog>
  );
}
