import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Icon } from './icon.tsx';
import { quiet } from './quiet.ts';

interface Props {
  readonly text: string | (() => string);
  readonly label?: string;
  /** Default: small, for use beside a text. */
  readonly size?: 'compact-xs' | 'xs';
  /** Shows an icon, and the label to assistive technology only. */
  readonly isIcon?: boolean;
}

const icons = {
  idle: 'M9 9h11v11H9zM5 15H4V4h11v1',
  copied: 'M5 13l4 4L19 7',
  failed: 'M6 6l12 12M18 6L6 18',
} as const;

/** Copies a text to the clipboard and shows the result for two seconds. */
export function CopyButton({ text, label = 'Copy', size = 'compact-xs', isIcon = false }: Props) {
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
  if (isIcon)
    return (
      <Button className="copy-icon" size="compact-xs" {...quiet} aria-label={label} onClick={copy}>
        <Icon path={icons[state]} />
      </Button>
    );
  return (
    <Button size={size} {...quiet} onClick={copy}>
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
