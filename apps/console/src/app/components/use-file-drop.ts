import { useState } from 'react';

/** Takes files that are dropped on the element that gets the handlers. */
export function useFileDrop(onFiles: (files: FileList) => void) {
  const [isDragging, setDragging] = useState(false);
  return {
    isDragging,
    handlers: {
      onDragOver: (event: React.DragEvent): void => {
        event.preventDefault();
        setDragging(true);
      },
      onDragLeave: (): void => setDragging(false),
      onDrop: (event: React.DragEvent): void => {
        event.preventDefault();
        setDragging(false);
        onFiles(event.dataTransfer.files);
      },
    },
  };
}
