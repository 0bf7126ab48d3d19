import type { ChatCompletionContentPart } from '@modelwire/client';
import type { App } from '../app.ts';
import { readStdin } from '../stdin.ts';
import { attachFile, attachImage } from './attachments.ts';

interface PromptFlags {
  readonly file?: readonly string[];
  readonly image?: readonly string[];
  readonly stdin: boolean;
}

export interface Prompt {
  readonly text: string;
  readonly parts: readonly ChatCompletionContentPart[];
}

/** The prompt of the arguments and of stdin, and the attachments. */
export async function readPrompt(
  { terminal, options }: App,
  words: readonly string[],
  { file = [], image = [], stdin }: PromptFlags,
): Promise<Prompt> {
  const { cwd, isTTY } = terminal;
  const parts = await Promise.all([
    ...file.map((path) => attachFile(path, cwd)),
    ...image.map((path) => attachImage(path, cwd)),
  ]);
  const isIgnored = isTTY.stdin || !stdin || options.keyFile === '-';
  const piped = isIgnored ? '' : (await readStdin(terminal)).replace(/\n$/, '');
  return { text: [piped, words.join(' ')].filter((text) => text !== '').join('\n\n'), parts };
}
/** Content of a user message. A plain string if all parts are text, since every server supports that. */
export function contentOf({ text, parts }: Prompt): string | readonly ChatCompletionContentPart[] {
  if (parts.every((part) => part.type === 'text')) {
    return [...parts.map((part) => part.text), text].filter((each) => each !== '').join('\n\n');
  }
  return [...parts, ...(text === '' ? [] : [{ type: 'text' as const, text }])];
}
