import type { FilePurpose } from '@modelwire/client';
import { useId, useRef, useState } from 'react';
import { purposes } from './purposes.ts';
import { interruptedFileNames } from './interrupted-uploads.ts';
import { startTransfer } from './transfers.ts';

/** Takes files of any size by drop or by the file dialog. */
export function DropZone({ initialPurpose }: { readonly initialPurpose: string }) {
  const [purpose, setPurpose] = useState<FilePurpose>(purposes.find((one) => one === initialPurpose) ?? 'batch');
  const [dragging, setDragging] = useState(false);
  const [interrupted] = useState(interruptedFileNames);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const add = (files: Iterable<File> | null): void => {
    for (const file of files ?? []) startTransfer(file, purpose);
  };
  return (
    <div
      className={dragging ? 'drop dragging' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setDragging(true);
      }}
      onDragLeave={() => setDragging(false)}
      onDrop={(event) => {
        event.preventDefault();
        setDragging(false);
        add(event.dataTransfer.files);
      }}
    >
      <p>Drop files here, or choose them. Files over 16 MB are sent in parts and can be paused.</p>
      {interrupted.length > 0 && (
        <p className="notice warning">Interrupted: {interrupted.join(', ')}. Choose the same file again to continue.</p>
      )}
      <div className="actions center">
        <label htmlFor={id}>Purpose</label>
        <select
          id={id}
          value={purpose}
          onChange={(event) => setPurpose(purposes.find((one) => one === event.target.value) ?? 'batch')}
        >
          {purposes.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <input
          ref={input}
          type="file"
          multiple
          className="visually-hidden"
          tabIndex={-1}
          aria-label="Files to upload"
          onChange={(event) => {
            add(event.target.files);
            event.target.value = '';
          }}
        />
        <button type="button" className="primary" onClick={() => input.current?.click()}>
          Choose files
        </button>
      </div>
    </div>
  );
}
