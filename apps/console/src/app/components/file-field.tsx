import { Button, Input } from '@mantine/core';
import { useId } from 'react';
import { FileButton } from './file-button.tsx';
import { formatBytes } from './format.ts';
import { useFileDrop } from './use-file-drop.ts';

interface Props extends Pick<React.ComponentProps<'input'>, 'accept' | 'multiple'> {
  readonly label: string;
  readonly description?: string;
  readonly buttonLabel: string;
  /** What was chosen. */
  readonly file?: Pick<File, 'name' | 'size'> | undefined;
  readonly onFiles: (files: FileList) => void;
  /** Removes what was chosen. */
  readonly onClear?: () => void;
  /** Shown before the button. */
  readonly children?: React.ReactNode;
}

/** A field for files, which are dropped on it or chosen. */
export function FileField({ label, description, buttonLabel, file, onFiles, onClear, children, ...field }: Props) {
  const id = useId();
  const { isDragging, handlers } = useFileDrop(onFiles);
  return (
    <Input.Wrapper
      size="xs"
      id={id}
      label={label}
      description={description}
      inputWrapperOrder={['label', 'input', 'description']}
      {...handlers}
    >
      <div className={isDragging ? 'drop dragging' : 'drop'}>
        {children}
        <FileButton {...field} id={id} label={label} onFiles={onFiles}>
          {buttonLabel}
        </FileButton>
        <span className="note">{file === undefined ? 'or drop here' : `${file.name}, ${formatBytes(file.size)}`}</span>
        {file !== undefined && onClear !== undefined && (
          <Button aria-label={`Remove ${file.name}`} onClick={onClear}>
            Remove
          </Button>
        )}
      </div>
    </Input.Wrapper>
  );
}
