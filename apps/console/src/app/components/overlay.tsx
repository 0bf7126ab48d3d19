import { Drawer, Modal } from '@mantine/core';
import { useEffect, useState } from 'react';

export interface ModalProps {
  readonly title: string;
  /** A drawer keeps the page beside it visible. Default: a dialog. */
  readonly isDrawer?: boolean;
  /** Called after it was closed, also by Escape. */
  readonly onClose: () => void;
  /** The content, or a function that renders it with a way to close it. */
  readonly children: React.ReactNode | ((close: () => void) => React.ReactNode);
}

export default function Overlay({ title, isDrawer = false, onClose, children }: ModalProps) {
  const [isOpen, setOpen] = useState(false);
  // Not open at first: the component notes the focus to restore when it opens.
  useEffect(() => setOpen(true), []);
  const close = (): void => setOpen(false);
  const Component = isDrawer ? Drawer : Modal;
  return (
    <Component
      opened={isOpen}
      onClose={close}
      // Not while it closes: see `isDialogOpen`.
      data-dialog-open={isOpen}
      onExitTransitionEnd={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {typeof children === 'function' ? children(close) : children}
    </Component>
  );
}
