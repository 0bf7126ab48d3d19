import { Button, Textarea } from '@mantine/core';
import type { ChatCompletionContentPart, ChatCompletionMessageParam } from '@modelwire/client';
import { useState } from 'react';
import { FileButton } from '../../components/file-button.tsx';
import { formatBytes } from '../../components/format.ts';
import { useFileDrop } from '../../components/use-file-drop.ts';
import { readAttachment } from './attachments.ts';
import type { Attachment } from './attachments.ts';
import { variablesIn } from './variables.ts';

interface Props {
  readonly isRunning: boolean;
  /** Called when the message that is written has other variables. */
  readonly onVariables: (names: readonly string[]) => void;
  readonly onSend: (message: ChatCompletionMessageParam) => void;
  readonly onStop: () => void;
}

/** The form for the next message. It has its own state, so that typing does not render the conversation again. */
export function Composer({ isRunning, onVariables, onSend, onStop }: Props) {
  const [text, setText] = useState('');
  const [attachments, setAttachments] = useState<readonly Attachment[]>([]);
  const [problem, setProblem] = useState<string>();

  const write = (written: string): void => {
    setText(written);
    const names = variablesIn([written]);
    if (names.join() !== variablesIn([text]).join()) onVariables(names);
  };
  const addFiles = (files: Iterable<File>): void => {
    setProblem(undefined);
    for (const file of files) {
      readAttachment(file).then(
        (attachment) => setAttachments((current) => [...current, attachment]),
        (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
      );
    }
  };
  const { isDragging, handlers } = useFileDrop(addFiles);
  const send = (): void => {
    if (isRunning || (text.trim() === '' && attachments.length === 0)) return;
    const textPart: readonly ChatCompletionContentPart[] = text === '' ? [] : [{ type: 'text', text }];
    onSend({
      role: 'user',
      content: attachments.length === 0 ? text : [...textPart, ...attachments.map(({ part }) => part)],
    });
    write('');
    setAttachments([]);
  };

  return (
    <form
      className={isDragging ? 'composer dragging' : 'composer'}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      {...handlers}
    >
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {attachments.length > 0 && (
        <ul className="chips" aria-label="Attachments">
          {attachments.map(({ id, name, size }) => (
            <li key={id}>
              {name} <span className="note">{formatBytes(size)}</span>
              <Button
                aria-label={`Remove ${name}`}
                onClick={() => setAttachments(attachments.filter((attachment) => attachment.id !== id))}
              >
                ×
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Textarea
        aria-label="Message"
        id="message"
        rows={2}
        value={text}
        placeholder="Message. Enter sends, Shift+Enter starts a new line. Drop images and files here."
        onChange={(event) => write(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <div className="actions">
        <FileButton label="Attach files" multiple onFiles={addFiles}>
          Attach
        </FileButton>
        {isRunning ? (
          <Button variant="filled" onClick={onStop}>
            Stop
          </Button>
        ) : (
          <Button type="submit" variant="filled">
            Send
          </Button>
        )}
      </div>
    </form>
  );
}
