import { Button, Textarea } from '@mantine/core';
import type { ChatCompletionContentPart, ChatCompletionMessageParam } from '@modelwire/client';
import { memo, useState } from 'react';
import { PlainText } from '../../components/markdown.tsx';
import { quiet } from '../../components/quiet.ts';
import { textOf } from './conversation.ts';
import type { Turn } from './conversation.ts';

interface Props {
  readonly turn: Turn;
  readonly isRunning: boolean;
  readonly resend: (turn: Turn, messages: readonly ChatCompletionMessageParam[]) => void;
}

/** A message of the user or the result of a tool, which can be edited and sent again. */
export const UserTurn = memo(function UserTurn({ turn, isRunning, resend }: Props) {
  const [draft, setDraft] = useState<string>();
  const text = textOf(turn.message);
  if (draft !== undefined) {
    return (
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          setDraft(undefined);
          resend(turn, [withText(turn.message, draft)]);
        }}
      >
        <Textarea
          aria-label="Edited message"
          rows={4}
          autoFocus
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
            if (event.key === 'Escape') setDraft(undefined);
          }}
        />
        <div className="actions">
          <Button onClick={() => setDraft(undefined)}>Cancel</Button>
          <Button type="submit" variant="filled">
            Send again
          </Button>
        </div>
      </form>
    );
  }
  return (
    <>
      <h2 className="role">{turn.message.role === 'tool' ? 'Tool result' : 'You'}</h2>
      <PlainText text={text} />
      <Attachments parts={partsOf(turn.message)} />
      <div className="turn-foot">
        <div className="actions">
          <Button size="compact-xs" {...quiet} disabled={isRunning} onClick={() => setDraft(text)}>
            Edit
          </Button>
        </div>
      </div>
    </>
  );
});

function Attachments({ parts }: { readonly parts: readonly ChatCompletionContentPart[] }) {
  return parts
    .filter(({ type }) => type !== 'text')
    .map((part, index) => {
      if (part.type === 'image_url' && part.image_url.url.startsWith('data:image/')) {
        return <img key={index} className="attachment" src={part.image_url.url} alt={`Attachment ${index + 1}`} />;
      }
      if (part.type === 'image_url') return <code key={index}>{part.image_url.url}</code>;
      if (part.type === 'input_audio') return <p key={index}>Audio ({part.input_audio.format})</p>;
      if (part.type === 'file') return <p key={index}>{part.file.filename ?? part.file.file_id ?? 'File'}</p>;
      return null;
    });
}

function partsOf(message: ChatCompletionMessageParam): readonly ChatCompletionContentPart[] {
  return message.role === 'user' && typeof message.content !== 'string' ? message.content : [];
}

/** The message with another text and the same attachments. */
function withText(message: ChatCompletionMessageParam, text: string): ChatCompletionMessageParam {
  if (message.role === 'tool') return { ...message, content: text };
  const others = partsOf(message).filter(({ type }) => type !== 'text');
  return { role: 'user', content: others.length === 0 ? text : [{ type: 'text', text }, ...others] };
}
