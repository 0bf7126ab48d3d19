import { useState } from 'react';

/** Passes files that are dropped on an element with these `handlers` to `onFiles`. */
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
        if (event.dataTransfer.files.length > 0) onFiles(event.dataTransfer.files);
      },
    },
  };
}
