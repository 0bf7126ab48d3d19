import { readForm } from '../http/forms/read-form.ts';
import type { Form, FormRules } from '../http/forms/read-form.ts';

export interface FormPart {
  readonly name?: string;
  readonly filename?: string;
  readonly type?: string;
  readonly body: Uint8Array | string;
  /** Replaces the headers that are derived from the other fields. */
  readonly head?: string;
}

export const boundary = 'a-boundary-of-tests';
export const formType = `multipart/form-data; boundary=${boundary}`;

/** The exact bytes of a form. */
export function formBytes(parts: readonly FormPart[], end = `--${boundary}--\r\n`): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ name, filename, type, body, head }) => [
      Buffer.from(`--${boundary}\r\n`),
      Buffer.from(head ?? headOf({ name, filename, type })),
      Buffer.from('\r\n\r\n'),
      Buffer.from(body),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(end),
  ]);
}

function headOf({ name, filename, type }: Record<'name' | 'filename' | 'type', string | undefined>): string {
  const disposition = [
    'content-disposition: form-data',
    ...(name === undefined ? [] : [`name="${name}"`]),
    ...(filename === undefined ? [] : [`filename="${filename}"`]),
  ].join('; ');
  return type === undefined ? disposition : `${disposition}\r\ncontent-type: ${type}`;
}

export interface KeptFile {
  readonly filename: string;
  readonly mediaType: string | undefined;
  readonly content: Buffer;
}

/** Reads a form with its files into memory. */
export function readInMemory(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  rules: Partial<FormRules<KeptFile>> = {},
  source: { readonly contentType?: string; readonly contentLength?: string } = {},
): Promise<Form<KeptFile>> {
  const { contentType = formType, contentLength = null } = source;
  return readForm<KeptFile>(
    { contentType, contentLength, bytes: passing(bytes) },
    {
      files: [{ name: 'file', required: true, description: '', maxBytes: 1_000_000 }],
      textNames: ['purpose'],
      check: () => undefined,
      storeFile: async ({ filename, mediaType, bytes: content }) => ({
        filename,
        mediaType,
        content: Buffer.concat(await Array.fromAsync(content)),
      }),
      idleTimeoutMs: 60_000,
      totalTimeoutMs: 60_000,
      minRate: { bytes: 1, perMs: 60_000 },
      signal: new AbortController().signal,
      ...rules,
    },
  );
}

async function* passing(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  yield* bytes;
}
