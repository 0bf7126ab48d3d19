import { Button, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { clearHistory, readHistory } from '../../api/playground-history.ts';
import { parseJson } from '../../api/parsed-json.ts';
import { Modal } from '../../components/modal.tsx';
import { quiet } from '../../components/quiet.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { readShared } from './setup.ts';
import type { SharedSetup } from './setup.ts';

/** A button that opens the conversations of this browser. */
export function HistoryDialog({ onOpen }: { readonly onOpen: (id: string, shared: SharedSetup) => void }) {
  const [isOpen, setOpen] = useState(false);
  const entries = isOpen ? readHistory() : [];
  const close = (): void => setOpen(false);
  return (
    <>
      <Button {...quiet} onClick={() => setOpen(true)}>
        History
      </Button>
      {isOpen && (
        <Modal title="Conversations of this browser" onClose={close}>
          {entries.length === 0 && <p className="note">None yet. The last 20 are kept here until you sign out.</p>}
          <ul className="history">
            {entries.map(({ id, at, title, shared }) => (
              <li key={id}>
                <UnstyledButton
                  onClick={() => {
                    const conversation = readShared(parseJson(shared));
                    if (conversation !== undefined) onOpen(id, conversation);
                    close();
                  }}
                >
                  <bdi>{title}</bdi>
                  <span className="note">
                    {modelsOf(shared)} · <RelativeTime seconds={at} />
                  </span>
                </UnstyledButton>
              </li>
            ))}
          </ul>
          {entries.length > 0 && (
            <Button
              onClick={() => {
                clearHistory();
                close();
              }}
            >
              Delete all
            </Button>
          )}
        </Modal>
      )}
    </>
  );
}

function modelsOf(shared: string): string {
  return readShared(parseJson(shared))?.setup.models.join(', ') ?? '';
}
