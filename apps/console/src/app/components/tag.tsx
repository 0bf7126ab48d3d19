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

/** The first text as a tag, and the number of the others, which are in a tooltip. */
export function FirstTag({ texts }: { readonly texts: readonly string[] }) {
  const [first, ...others] = texts;
  if (first === undefined) return null;
  return (
    <span className="tags" title={texts.join(', ')}>
      <Tag>{first}</Tag>
      {others.length > 0 && <Tag>+{others.length}</Tag>}
    </span>
  );
}
