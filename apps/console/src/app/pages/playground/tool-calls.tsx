import { Button, Textarea } from '@mantine/core';
import type { ChatCompletionMessageParam, ChatCompletionToolCall } from '@modelwire/client';
import { useState } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';

interface Props {
  readonly calls: readonly ChatCompletionToolCall[];
  /** Undefined if the results were already sent. */
  readonly onSend: ((messages: readonly ChatCompletionMessageParam[]) => void) | undefined;
}

/** The tool calls of a reply, with a field for the result of each. */
export function ToolCalls({ calls, onSend }: Props) {
  const [results, setResults] = useState<Readonly<Record<string, string>>>({});
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSend?.(calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: results[id] ?? '' })));
      }}
    >
      {calls.map((call) => (
        <div key={call.id}>
          <CodeBlock label={`Call of ${nameOf(call)}`} code={inputOf(call)} />
          {onSend !== undefined && (
            <Textarea
              label={`Result of ${nameOf(call)}`}
              rows={2}
              value={results[call.id] ?? ''}
              onChange={(event) => setResults({ ...results, [call.id]: event.target.value })}
            />
          )}
        </div>
      ))}
      {onSend !== undefined && (
        <Button type="submit" variant="filled">
          Send results
        </Button>
      )}
    </form>
  );
}

function nameOf(call: ChatCompletionToolCall): string {
  return call.type === 'custom' ? call.custom.name : call.function.name;
}

function inputOf(call: ChatCompletionToolCall): string {
  return call.type === 'custom' ? call.custom.input : call.function.arguments;
}
