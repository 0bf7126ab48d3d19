import { Button } from '@mantine/core';
import { useRef } from 'react';

interface Props extends Pick<React.ComponentProps<'input'>, 'accept' | 'multiple'> {
  /** Names the field for assistive technology. */
  readonly label: string;
  readonly variant?: 'default' | 'filled';
  readonly onFiles: (files: FileList) => void;
  readonly children: React.ReactNode;
}

/** A button that opens the file dialog of the browser. The same file can be chosen twice in a row. */
export function FileButton({ label, variant = 'default', onFiles, children, ...field }: Props) {
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
          if (target.files !== null) onFiles(target.files);
          target.value = '';
        }}
      />
      <Button variant={variant} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}
