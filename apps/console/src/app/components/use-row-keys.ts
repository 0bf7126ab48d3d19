import { useEffect, useRef } from 'react';
import { isDialogOpen } from './modal.tsx';
import { isTyping } from './is-typing.ts';

/** Opens the next row with j, the previous with k and the first with Enter, and closes the open one with Escape. */
export function useRowKeys(ids: readonly string[], open: string, onOpen: (id: string) => void): void {
  const latest = useRef({ ids, open, onOpen });
  latest.current = { ids, open, onOpen };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isDialogOpen()) return;
      const { ids, open, onOpen } = latest.current;
      const index = ids.indexOf(open);
      const target = targetOf(event.key, index, event.target === document.body);
      if (target === undefined) return;
      const id = target === 'none' ? '' : ids[target];
      if (id === undefined || id === open) return;
      event.preventDefault();
      onOpen(id);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

/** The index of the row that a key opens. @param isFree Whether no element has the focus, which Enter would activate. */
function targetOf(key: string, index: number, isFree: boolean): number | 'none' | undefined {
  if (key === 'j') return index + 1;
  if (key === 'k') return Math.max(0, index - 1);
  if (key === 'Enter' && isFree && index === -1) return 0;
  return key === 'Escape' ? 'none' : undefined;
}
