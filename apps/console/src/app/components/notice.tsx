import { Alert } from '@mantine/core';
import type { Tone } from './tag.tsx';

interface Props {
  readonly tone: Exclude<Tone, 'neutral'>;
  readonly title?: React.ReactNode;
  readonly children?: React.ReactNode;
}

/** A message about the state of the page. Errors interrupt screen readers, others do not. */
export function Notice({ tone, title, children }: Props) {
  return (
    <Alert
      className="notice"
      data-tone={tone}
      variant="default"
      title={title}
      role={tone === 'bad' ? 'alert' : 'status'}
    >
      {children}
    </Alert>
  );
}
