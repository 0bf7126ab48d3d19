import { Button } from '@mantine/core';
import type { FilePurpose } from '@modelwire/client';
import { useState } from 'react';
import { FileField } from '../../components/file-field.tsx';
import { Modal } from '../../components/modal.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { purposes } from './purposes.ts';
import { startTransfer } from './transfers.ts';

interface Props {
  readonly initialPurpose: string;
  /** Files that were dropped on the page; empty if the dialog asks for them. */
  readonly dropped: readonly File[];
  readonly onClose: () => void;
}

/** Uploads files of any size that are dropped or selected in the file dialog. */
export function UploadFiles({ initialPurpose, dropped, onClose }: Props) {
  const [purpose, setPurpose] = useState<FilePurpose>(
    purposes.find((purpose) => purpose === initialPurpose) ?? 'batch',
  );
  const start = (files: Iterable<File>): void => {
    for (const file of files) startTransfer(file, purpose);
  };
  return (
    <Modal title="Upload files" isDrawer onClose={onClose}>
      {(close) => (
        <>
          <SelectField label="Purpose" options={purposes} value={purpose} onChange={setPurpose} />
          <FileField
            label="Files to upload"
            description="Files over 16 MB are sent in parts and can be paused."
            buttonLabel="Choose files"
            multiple
            onFiles={(files) => {
              start(files);
              close();
            }}
          />
          {dropped.length > 0 && (
            <div className="actions">
              <Button
                variant="filled"
                onClick={() => {
                  start(dropped);
                  close();
                }}
              >
                Upload {dropped.length === 1 ? dropped[0]?.name : `${dropped.length} files`}
              </Button>
            </div>
          )}
        </>
      )}
    </Modal>
  );
}
