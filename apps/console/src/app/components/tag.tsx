import { Badge } from '@mantine/core';

export type Tone = 'good' | 'warning' | 'bad' | 'neutral';

interface Props {
  readonly tone?: Tone;
  readonly children: React.ReactNode;
}

/** A status or a kind. */
export function Tag({ tone = 'neutral', children }: Props) {
  return (
    <Badge component="span" className="tag" data-tone={tone} variant="default" size="sm" radius="sm" tt="none">
      {children}
    </Badge>
  );
}
