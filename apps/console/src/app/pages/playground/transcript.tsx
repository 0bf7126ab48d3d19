import { useState } from 'react';
import type { Conversation } from './use-conversation.ts';
import { ReplyTurn } from './reply-turn.tsx';
import { UserTurn } from './user-turn.tsx';

interface Props {
  readonly conversation: Conversation;
  readonly showLogprobs: boolean;
}

/** Earlier messages are added to the page in steps of this size. */
const step = 100;

/** The last messages of a conversation. Those outside of the view are not laid out (`content-visibility` in the style sheet). */
export function Transcript({ conversation, showLogprobs }: Props) {
  const { turns, running, send, resend, stop } = conversation;
  const last = turns.at(-1);
  const [shown, setShown] = useState(step);
  const hidden = Math.max(0, turns.length - shown);
  return (
    <>
      {hidden > 0 && (
        <button type="button" className="small" onClick={() => setShown(shown + step)}>
          Show earlier messages ({hidden})
        </button>
      )}
      <ol className="transcript" aria-label="Messages">
        {turns.slice(hidden).map((turn) => (
          <li key={turn.id} className={`turn ${turn.message.role}`}>
            {turn.message.role === 'assistant' ? (
              <ReplyTurn
                turn={turn}
                isLast={turn === last}
                running={running}
                showLogprobs={showLogprobs}
                resend={resend}
                send={send}
              />
            ) : (
              <UserTurn turn={turn} running={running} resend={resend} />
            )}
          </li>
        ))}
      </ol>
      <Status running={running} status={last?.generation?.status} onStop={stop} />
    </>
  );
}

interface StatusProps {
  readonly running: boolean;
  readonly status: string | undefined;
  readonly onStop: () => void;
}

/** Announces to screen readers when a reply starts and ends; the reply itself is not announced token by token. */
function Status({ running, status, onStop }: StatusProps) {
  return (
    <p className="status" role="status">
      {running ? 'Generating… ' : status === 'finished' ? 'The reply is complete.' : ''}
      {running && (
        <button type="button" className="small" onClick={onStop}>
          Stop this reply
        </button>
      )}
    </p>
  );
}
