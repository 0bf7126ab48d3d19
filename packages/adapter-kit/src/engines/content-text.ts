interface Part {
  readonly type: string;
  readonly text?: string;
  readonly refusal?: string;
}

/** The text of message content: the string, or the text and refusal parts joined. */
export function contentText(content: string | readonly Part[] | null | undefined): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text, refusal }) => text ?? refusal ?? '').join('');
}
