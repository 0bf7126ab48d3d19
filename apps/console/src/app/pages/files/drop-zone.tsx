import type { FilePurpose } from '@modelwire/client';
import { useState } from 'react';
import { FileButton } from '../../components/file-button.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { useFileDrop } from '../../components/use-file-drop.ts';
import { purposes } from './purposes.ts';
import { interruptedFileNames } from './interrupted-uploads.ts';
import { startTransfer } from './transfers.ts';
import { Notice } from '../../components/notice.tsx';

/** Uploads files of any size that are dropped or selected in the file dialog. */
export function DropZone({ initialPurpose }: { readonly initialPurpose: string }) {
  const [purpose, setPurpose] = useState<FilePurpose>(
    purposes.find((purpose) => purpose === initialPurpose) ?? 'batch',
  );
  const [interrupted] = useState(interruptedFileNames);
  const add = (files: Iterable<File>): void => {
    for (const file of files) startTransfer(file, purpose);
  };
  const { isDragging, handlers } = useFileDrop(add);
  return (
    <div className={isDragging ? 'drop dragging' : 'drop'} {...handlers}>
      <p>Drop files here, or choose them. Files over 16 MB are sent in parts and can be paused.</p>
      {interrupted.length > 0 && (
        <Notice tone="warning">Interrupted: {interrupted.join(', ')}. Choose the same file again to continue.</Notice>
      )}
      <div className="filters">
        <SelectField label="Purpose" options={purposes} value={purpose} onChange={setPurpose} />
        <FileButton label="Files to upload" variant="filled" multiple onFiles={add}>
          Choose files
        </FileButton>
      </div>
    </div>
  );
}
