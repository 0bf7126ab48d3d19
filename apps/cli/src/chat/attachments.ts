import { readFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import type { ChatCompletionContentPart } from '@modelwire/client';
import { audioPart, filePart, imagePart } from '@modelwire/chat/parts';
import { isImageName } from '../open-file.ts';

const AUDIO = new Set(['.wav', '.mp3']);
const BOM = '\ufeff';

/** `--file`: the text of a text file, which every model can read, or a content part for audio, images and documents. */
export async function attachFile(pathOrId: string, cwd: string): Promise<ChatCompletionContentPart> {
  if (/^file-[\w-]+$/.test(pathOrId)) return filePart(pathOrId);
  const bytes = await readFile(resolve(cwd, pathOrId));
  const name = basename(pathOrId);
  if (isImageName(name)) return imagePart(bytes);
  if (AUDIO.has(extname(name).toLowerCase())) return audioPart(bytes);
  const text = textOf(bytes);
  if (text === undefined) return filePart(bytes, { filename: name });
  return { type: 'text', text: `${name}:\n${fenceOf(text)}` };
}

/** `--image`: a path or a URL. */
export async function attachImage(pathOrURL: string, cwd: string): Promise<ChatCompletionContentPart> {
  if (/^(https?|data):/i.test(pathOrURL) && URL.canParse(pathOrURL)) return imagePart(new URL(pathOrURL));
  return imagePart(await readFile(resolve(cwd, pathOrURL)));
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text.replace(BOM, '');
  } catch {
    return undefined;
  }
}

/** Wraps the text in a code fence that is longer than any in the text. */
function fenceOf(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}
