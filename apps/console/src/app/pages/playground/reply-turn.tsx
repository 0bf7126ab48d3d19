import { Button } from '@mantine/core';
import type { ChatCompletionMessageParam } from '@modelwire/client';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { CopyButton } from '../../components/copy-button.tsx';
import { quiet } from '../../components/quiet.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatDuration, formatNumber } from '../../components/format.ts';
import { Markdown } from '../../components/markdown.tsx';
import { textOf, tokensPerSecond } from './conversation.ts';
import type { Generation, Turn } from './conversation.ts';
import { Logprobs } from './logprobs.tsx';
import { SetupError } from './request.ts';
import { ToolCalls } from './tool-calls.tsx';
import { Notice } from '../../components/notice.tsx';

interface Props {
  readonly turn: Turn;
  readonly isLast: boolean;
  readonly isConversationRunning: boolean;
  readonly showLogprobs: boolean;
  readonly resend: (turn: Turn, messages: readonly ChatCompletionMessageParam[]) => void;
  readonly send: (messages: readonly ChatCompletionMessageParam[]) => void;
}

/** A reply of the model: text, tool calls, statistics, and the error if it failed. */
export const ReplyTurn = memo(function ReplyTurn({
  turn,
  isLast,
  isConversationRunning,
  showLogprobs,
  resend,
  send,
}: Props) {
  const { message, generation } = turn;
  const text = textOf(message);
  const refusal = message.role === 'assistant' ? message.refusal : undefined;
  const isRunning = generation?.status === 'running';
  const storedId = generation?.isStored === true ? generation.completionId : undefined;
  const showsTokens = showLogprobs && generation !== undefined && generation.logprobs.length > 0 && !isRunning;
  return (
    <>
      <h2 className="role">Assistant</h2>
      {showsTokens ? <Logprobs tokens={generation.logprobs} /> : <Markdown text={text} />}
      {refusal && <Notice tone="warning">Refused: {refusal}</Notice>}
      {message.role === 'assistant' && message.tool_calls !== undefined && message.tool_calls.length > 0 && (
        <ToolCalls calls={message.tool_calls} onSend={isLast && !isConversationRunning ? send : undefined} />
      )}
      {generation?.status === 'stopped' && <p className="note">Stopped.</p>}
      {generation?.status === 'failed' && <Failure error={generation.error} onRetry={() => resend(turn, [])} />}
      <div className="turn-foot">
        {!isRunning && (
          <div className="actions">
            <CopyButton text={text} />
            {isLast && (
              <Button size="compact-xs" {...quiet} disabled={isConversationRunning} onClick={() => resend(turn, [])}>
                Regenerate
              </Button>
            )}
            {storedId !== undefined && (
              <Button
                size="compact-xs"
                {...quiet}
                renderRoot={(props) => <Link {...props} to="/completions/$id" params={{ id: storedId }} />}
              >
                Open in Completions
              </Button>
            )}
          </div>
        )}
        {generation !== undefined && <GenerationFigures generation={generation} />}
      </div>
    </>
  );
});

function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  if (error instanceof SetupError) {
    return <Notice tone="bad">{error.message}</Notice>;
  }
  return <ErrorNotice title="The reply failed." error={error} onRetry={onRetry} />;
}

function GenerationFigures({ generation }: { readonly generation: Generation }) {
  const { usage, firstTokenMs, durationMs, finishReason } = generation;
  const rate = tokensPerSecond(generation);
  const figures = [
    usage && `${formatNumber(usage.prompt_tokens)} input tokens`,
    usage && `${formatNumber(usage.completion_tokens)} output tokens`,
    firstTokenMs !== undefined && `first token after ${formatDuration(firstTokenMs)}`,
    rate !== undefined && `${rate.toFixed(1)} tokens/s`,
    durationMs !== undefined && `total ${formatDuration(durationMs)}`,
    finishReason !== undefined && finishReason !== 'stop' && `finish reason ${finishReason}`,
  ].filter((fact) => typeof fact === 'string');
  return figures.length === 0 ? null : <p className="figures">{figures.join(' · ')}</p>;
}
