import { useState } from 'react';
import { Notice } from '../../components/notice.tsx';
import { interruptedFileNames } from './interrupted-uploads.ts';

/** Says which uploads a reload interrupted. */
export function InterruptedNotice() {
  const [interrupted] = useState(interruptedFileNames);
  if (interrupted.length === 0) return null;
  return <Notice tone="warning">Interrupted: {interrupted.join(', ')}. Upload the same file again to continue.</Notice>;
}
