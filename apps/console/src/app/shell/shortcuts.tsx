import { Button, Table } from '@mantine/core';
import { useEffect, useState } from 'react';
import { isTyping } from '../components/is-typing.ts';
import { isDialogOpen, Modal } from '../components/modal.tsx';
import { quiet } from '../components/quiet.ts';

const shortcuts: readonly { readonly keys: string; readonly action: string }[] = [
  { keys: '?', action: 'Show this list' },
  { keys: '/', action: 'Go to the filters of the page, or to the message of the playground' },
  { keys: 'j and k', action: 'Completions and cases: open the next or the previous one. Esc closes it' },
  { keys: 'Enter or Ctrl+Enter', action: 'Playground: send the message' },
  { keys: 'Shift+Enter', action: 'Playground: start a new line' },
  { keys: 'Ctrl+Enter', action: 'Playground: send an edited message again' },
  { keys: 'Esc', action: 'Playground: stop the reply. Elsewhere: close the dialog' },
  { keys: 'Left and right arrow', action: 'Playground: choose a token of a reply with log probabilities' },
];

/** A button that shows the keyboard shortcuts, and the shortcuts that work on every page. */
export function Shortcuts() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (isDialogOpen()) return;
      if (event.key === '?') {
        event.preventDefault();
        setOpen(true);
      }
      if (event.key === '/') {
        const target = document.querySelector('[role="search"] :is(input, select), #message');
        if (!(target instanceof HTMLElement)) return;
        event.preventDefault();
        target.focus();
      }
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <Button size="compact-xs" {...quiet} onClick={() => setOpen(true)}>
        Shortcuts
      </Button>
      {isOpen && (
        <Modal title="Keyboard shortcuts" onClose={() => setOpen(false)}>
          <ShortcutTable />
        </Modal>
      )}
    </>
  );
}

function ShortcutTable() {
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Keys</Table.Th>
          <Table.Th scope="col">Action</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {shortcuts.map(({ keys, action }) => (
          <Table.Tr key={action}>
            <Table.Th scope="row">
              <kbd>{keys}</kbd>
            </Table.Th>
            <Table.Td>{action}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
