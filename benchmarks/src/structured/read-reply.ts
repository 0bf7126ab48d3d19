interface Chunk {
  readonly error?: { readonly code: string };
  readonly choices?: readonly {
    readonly finish_reason: string | null;
    readonly delta?: { readonly content?: string | null };
    readonly message?: { readonly content: string | null };
  }[];
}

interface Reply {
  readonly content: string;
  readonly finish: string | undefined;
  /** The code of an error. */
  readonly code: string | undefined;
}

/** What a client received, whole or as a stream. */
export function readReply(text: string, isStreamed: boolean): Reply {
  const frames = text.split('\n\n').filter((frame) => frame.startsWith('data: {'));
  const isStream = isStreamed && frames.length > 0;
  const chunks = isStream
    ? frames.map((frame) => JSON.parse(frame.slice('data: '.length)) as Chunk)
    : [JSON.parse(text) as Chunk];
  let content = '';
  let finish: string | undefined;
  let code: string | undefined;
  for (const { choices, error } of chunks) {
    code = error?.code ?? code;
    const [choice] = choices ?? [];
    content += choice?.delta?.content ?? choice?.message?.content ?? '';
    finish = choice?.finish_reason ?? finish;
  }
  return { content, finish, code };
}
