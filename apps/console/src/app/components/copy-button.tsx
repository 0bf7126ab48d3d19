import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';

interface Props {
  readonly text: string | (() => string);
  readonly label?: string;
}

/** Copies a text to the clipboard and shows the result for two seconds. */
export function CopyButton({ text, label = 'Copy' }: Props) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2_000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    writeToClipboard(typeof text === 'string' ? text : text()).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  return (
    <Button size="compact-xs" onClick={copy}>
      {state === 'idle' ? label : state === 'copied' ? 'Copied' : 'Copying failed'}
    </Button>
  );
}

/** Without the clipboard API, which browsers do not offer to pages that are served over plain HTTP by another machine, it uses `execCommand`. */
async function writeToClipboard(text: string): Promise<void> {
  if ('clipboard' in navigator) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (!copied) throw new Error('The browser refused to copy.');
}
