import { useEffect, useState } from 'react';
import { Modal } from '../components/modal.tsx';

const shortcuts: readonly { readonly keys: string; readonly action: string }[] = [
  { keys: '?', action: 'Show this list' },
  { keys: '/', action: 'Go to the filters of the page, or to the message of the playground' },
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
      if (document.querySelector('dialog[open]') !== null) return;
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
      <button type="button" onClick={() => setOpen(true)}>
        Keyboard shortcuts
      </button>
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
    <table>
      <thead>
        <tr>
          <th scope="col">Keys</th>
          <th scope="col">Action</th>
        </tr>
      </thead>
      <tbody>
        {shortcuts.map(({ keys, action }) => (
          <tr key={action}>
            <th scope="row">
              <kbd>{keys}</kbd>
            </th>
            <td>{action}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Whether the key event is input for a form field. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.matches('textarea, select, input:not([type="checkbox"], [type="radio"], [type="button"])');
}
