import { useEffect, useEffectEvent } from 'react';

/** Passes files that are dropped anywhere on the page to `onFiles`. Without it, the browser would open them and leave the page. */
export function useWindowDrop(onFiles: (files: readonly File[]) => void): void {
  const drop = useEffectEvent((event: DragEvent) => {
    // A field for files has taken them.
    if (event.defaultPrevented) return;
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) onFiles(files);
  });
  useEffect(() => {
    const allow = (event: DragEvent): void => event.preventDefault();
    const onDrop = (event: DragEvent): void => drop(event);
    addEventListener('dragover', allow);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', allow);
      removeEventListener('drop', onDrop);
    };
  }, []);
}
