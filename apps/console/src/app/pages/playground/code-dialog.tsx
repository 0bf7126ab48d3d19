import { Button } from '@mantine/core';
import { useState } from 'react';
import { apiBaseURL } from '../../api/urls.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Modal } from '../../components/modal.tsx';
import { quiet } from '../../components/quiet.ts';
import { codeSample } from './code-samples.ts';
import type { SampleLanguage } from './code-samples.ts';
import { messagesOf } from './conversation.ts';
import type { Turn } from './conversation.ts';
import { buildRequest } from './request.ts';
import type { Setup } from './setup.ts';

interface Props {
  readonly setup: Setup;
  readonly model: string;
  readonly turns: readonly Turn[];
}

const languages: readonly { readonly id: SampleLanguage; readonly label: string }[] = [
  { id: 'curl', label: 'curl' },
  { id: 'python', label: 'Python' },
  { id: 'typescript', label: 'TypeScript' },
];

/** A button that opens a dialog with the request as curl, Python and TypeScript. */
export function CodeDialog({ setup, model, turns }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [language, setLanguage] = useState<SampleLanguage>('curl');
  return (
    <>
      <Button {...quiet} onClick={() => setOpen(true)}>
        Code
      </Button>
      {isOpen && (
        <Modal title="This request as code" onClose={() => setOpen(false)}>
          <div className="actions" role="group" aria-label="Language">
            {languages.map(({ id, label }) => (
              <Button key={id} aria-pressed={id === language} onClick={() => setLanguage(id)}>
                {label}
              </Button>
            ))}
          </div>
          <CodeBlock code={createSample(language, { setup, model, turns })} label={language} />
        </Modal>
      )}
    </>
  );
}

function createSample(language: SampleLanguage, { setup, model, turns }: Props): string {
  // The last reply is not part of the request that generated it.
  const requestTurns = turns.at(-1)?.message.role === 'assistant' ? turns.slice(0, -1) : turns;
  const messages =
    requestTurns.length === 0 ? [{ role: 'user' as const, content: 'Hello!' }] : messagesOf(requestTurns);
  try {
    return codeSample(language, apiBaseURL, buildRequest(setup, model, messages));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
