import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Conversation } from './use-conversation.ts';
import { ReplyTurn } from './reply-turn.tsx';
import { UserTurn } from './user-turn.tsx';

interface Props {
  readonly conversation: Conversation;
  readonly showLogprobs: boolean;
}

/** Number of messages that are shown at first, and added by each click on “Show earlier messages”. */
const pageSize = 100;

/** The last messages of a conversation. Messages outside of the viewport are not laid out (`content-visibility` in the style sheet). */
export function Transcript({ conversation, showLogprobs }: Props) {
  const { turns, isRunning, send, resend, stop } = conversation;
  const last = turns.at(-1);
  const [shownCount, setShownCount] = useState(pageSize);
  const hiddenCount = Math.max(0, turns.length - shownCount);
  return (
    <>
      {hiddenCount > 0 && (
        <Button onClick={() => setShownCount(shownCount + pageSize)}>Show earlier messages ({hiddenCount})</Button>
      )}
      <ol className="transcript" aria-label="Messages">
        {turns.slice(hiddenCount).map((turn) => (
          <li key={turn.id} className={`turn ${turn.message.role}`}>
            {turn.message.role === 'assistant' ? (
              <ReplyTurn
                turn={turn}
                isLast={turn === last}
                isConversationRunning={isRunning}
                showLogprobs={showLogprobs}
                resend={resend}
                send={send}
              />
            ) : (
              <UserTurn turn={turn} isRunning={isRunning} resend={resend} />
            )}
          </li>
        ))}
      </ol>
      <Status isRunning={isRunning} status={last?.generation?.status} onStop={stop} />
    </>
  );
}

interface StatusProps {
  readonly isRunning: boolean;
  readonly status: string | undefined;
  readonly onStop: () => void;
}

/** Announces to screen readers when a reply starts and ends; the reply itself is not announced token by token. */
function Status({ isRunning, status, onStop }: StatusProps) {
  return (
    <p className="status" role="status">
      {isRunning && 'Generating… '}
      {!isRunning && status === 'finished' && <span className="visually-hidden">The reply is complete.</span>}
      {isRunning && <Button onClick={onStop}>Stop this reply</Button>}
    </p>
  );
}
