import { consoleURL } from '../../api/urls.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { messagesOf } from './conversation.ts';
import type { Turn } from './conversation.ts';
import { encodeSetup } from './setup.ts';
import type { Setup } from './setup.ts';

/** Copies a link that restores the set-up and the messages. They are in the fragment, which browsers do not send to the server. */
export function ShareButton({ setup, turns }: { readonly setup: Setup; readonly turns: readonly Turn[] }) {
  return (
    <CopyButton
      label="Copy link"
      size="xs"
      text={() => new URL(`playground#setup=${encodeSetup({ setup, messages: messagesOf(turns) })}`, consoleURL).href}
    />
  );
}
