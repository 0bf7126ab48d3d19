import { useEffect, useId, useRef } from 'react';

interface Props {
  readonly title: string;
  /** Called when it was closed, also by Escape. */
  readonly onClose: () => void;
  /** Renders the content, which may close the dialog. */
  readonly children: (close: () => void) => React.ReactNode;
}

/** A dialog that is open as long as it is rendered. The browser keeps the focus in it and returns it to where it was. */
export function Modal({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children(() => dialog.current?.close())}
    </dialog>
  );
}
