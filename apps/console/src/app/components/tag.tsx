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

/** The first text as a tag, and in a table the number of the others: a card has room for all. */
export function FirstTag({ texts }: { readonly texts: readonly string[] }) {
  const [first, ...others] = texts;
  if (first === undefined) return null;
  return (
    <span className="tags" title={texts.join(', ')}>
      <Tag>{first}</Tag>
      <span className="other-tags">
        {others.map((text) => (
          <Tag key={text}>{text}</Tag>
        ))}
      </span>
      {others.length > 0 && <span className="tag-count">+{others.length}</span>}
    </span>
  );
}
