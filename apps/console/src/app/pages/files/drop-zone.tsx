import type { FilePurpose } from '@modelwire/client';
import { useState } from 'react';
import { FileField } from '../../components/file-field.tsx';
import { SelectField } from '../../components/select-field.tsx';
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
  return (
    <>
      {interrupted.length > 0 && (
        <Notice tone="warning">Interrupted: {interrupted.join(', ')}. Choose the same file again to continue.</Notice>
      )}
      <FileField
        label="Files to upload"
        description="Files over 16 MB are sent in parts and can be paused."
        buttonLabel="Choose files"
        multiple
        onFiles={add}
      >
        <SelectField label="Purpose" options={purposes} value={purpose} onChange={setPurpose} />
      </FileField>
    </>
  );
}
