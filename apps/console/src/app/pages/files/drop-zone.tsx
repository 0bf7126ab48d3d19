import type { FilePurpose } from '@modelwire/client';
import { useId, useState } from 'react';
import { FileButton } from '../../components/file-button.tsx';
import { useFileDrop } from '../../components/use-file-drop.ts';
import { purposes } from './purposes.ts';
import { interruptedFileNames } from './interrupted-uploads.ts';
import { startTransfer } from './transfers.ts';

/** Uploads files of any size that are dropped or selected in the file dialog. */
export function DropZone({ initialPurpose }: { readonly initialPurpose: string }) {
  const [purpose, setPurpose] = useState<FilePurpose>(
    purposes.find((purpose) => purpose === initialPurpose) ?? 'batch',
  );
  const [interrupted] = useState(interruptedFileNames);
  const id = useId();
  const add = (files: Iterable<File>): void => {
    for (const file of files) startTransfer(file, purpose);
  };
  const { isDragging, handlers } = useFileDrop(add);
  return (
    <div className={isDragging ? 'drop dragging' : 'drop'} {...handlers}>
      <p>Drop files here, or choose them. Files over 16 MB are sent in parts and can be paused.</p>
      {interrupted.length > 0 && (
        <p className="notice warning">Interrupted: {interrupted.join(', ')}. Choose the same file again to continue.</p>
      )}
      <div className="actions center">
        <label htmlFor={id}>Purpose</label>
        <select
          id={id}
          value={purpose}
          onChange={(event) => setPurpose(purposes.find((purpose) => purpose === event.target.value) ?? 'batch')}
        >
          {purposes.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
        <FileButton label="Files to upload" className="primary" multiple onFiles={add}>
          Choose files
        </FileButton>
      </div>
    </div>
  );
}
