import { lazy, Suspense } from 'react';
import type { ModalProps } from './overlay.tsx';

// Not part of the first page: loaded when the first dialog opens.
const Overlay = lazy(() => import('./overlay.tsx'));

/** A dialog that is open while it is rendered. It keeps the focus, and restores it when it is closed. */
export function Modal(props: ModalProps) {
  return (
    <Suspense fallback={null}>
      <Overlay {...props} />
    </Suspense>
  );
}

/** Whether a dialog has the keyboard. */
export function isDialogOpen(): boolean {
  return document.querySelector('[data-dialog-open="true"]') !== null;
}
