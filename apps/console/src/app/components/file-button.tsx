import { Button } from '@mantine/core';
import { useRef } from 'react';

interface Props extends Pick<React.ComponentProps<'input'>, 'id' | 'accept' | 'multiple'> {
  /** Names the field for assistive technology. */
  readonly label: string;
  readonly onFiles: (files: FileList) => void;
  readonly children: React.ReactNode;
}

/** A button that opens the file dialog of the browser. The same file can be chosen twice in a row. */
export function FileButton({ label, onFiles, children, ...field }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        {...field}
        ref={input}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        aria-label={label}
        onChange={({ target }) => {
          if (target.files !== null && target.files.length > 0) onFiles(target.files);
          target.value = '';
        }}
      />
      <Button onClick={() => input.current?.click()}>{children}</Button>
    </>
  );
}
