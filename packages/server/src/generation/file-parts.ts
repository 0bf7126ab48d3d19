import { FILE_INPUT_MAX_BYTES } from '@modelwire/schema';
import type {
  ChatCompletionContentPart,
  ChatCompletionContentPartFile,
  ChatCompletionContentPartText,
} from '@modelwire/schema/types';
import { fromBase64, toBase64 } from '../base64.ts';
import { RequestError, invalid, notFound, unsupported, unsupportedValue } from '../errors.ts';
import { hasExpired } from '../media/files/file-object.ts';
import { readSegments } from '../media/files/read-segments.ts';
import { fileText, isPdf } from './file-text.ts';
import type { InputContext } from './input-context.ts';

/** A file with its metadata. */
export interface FileContent {
  readonly bytes: Uint8Array;
  readonly filename: string | undefined;
  readonly mediaType: string | undefined;
}

/**
 * Converts a file part for the engine (API: Message types, file part): base64 for engines that support files, otherwise its text,
 * including that of PDFs if this server extracts it. Other files require an engine that supports them.
 *
 * @throws a 404 for an ID that is not in the project, a 400 for a file that this model does not support.
 */
export async function filePart(
  part: ChatCompletionContentPartFile,
  path: string,
  preparing: InputContext,
): Promise<ChatCompletionContentPart> {
  const { file } = part;
  const native = preparing.model.capabilities.inputs.includes('file');
  if (file.file_data !== undefined && native) return part;
  const content =
    file.file_data === undefined
      ? await readStoredFile(file.file_id ?? '', `${path}.file_id`, preparing)
      : inline(file.file_data);
  const filename = file.filename ?? content.filename;
  if (native) {
    const type = content.mediaType ?? (isPdf(content.bytes) ? 'application/pdf' : 'application/octet-stream');
    const file_data = `data:${type};base64,${toBase64(content.bytes)}`;
    return { type: 'file', file: { file_data, ...(filename !== undefined && { filename }) } };
  }
  const pdf = isPdf(content.bytes) ? await pdfText(content.bytes, path, preparing) : undefined;
  const text = pdf ?? fileText(content.bytes);
  if (text === undefined) {
    const what = isPdf(content.bytes) ? 'a PDF' : 'not text';
    const { id } = preparing.model;
    throw unsupportedValue(
      path,
      `Unsupported value: the file in '${path}' is ${what}, which the model '${id}' does not support. It supports files of UTF-8 text.`,
    );
  }
  return asText(text, filename);
}

/** The text of a PDF; undefined if this server does not extract it. @throws a 400 that names the part. */
async function pdfText(
  bytes: Uint8Array,
  path: string,
  { call, server, reserveMemory }: InputContext,
): Promise<string | undefined> {
  const { readPdf } = server.options;
  if (!readPdf) return undefined;
  try {
    const text = await readPdf(bytes, { signal: call.client.signal });
    reserveMemory(text.length);
    return text;
  } catch (error) {
    if (error instanceof RequestError && error.status === 400) throw invalid(path, error.message, error.code);
    throw error;
  }
}

/** Enclosed in marker lines, so that the model can tell the file from the message. */
function asText(text: string, filename: string | undefined): ChatCompletionContentPartText {
  const name = filename === undefined ? '' : ` ${JSON.stringify(filename)}`;
  return { type: 'text', text: `[File${name}]\n${text}${text.endsWith('\n') ? '' : '\n'}[End of file${name}]\n` };
}

function inline(data: string): FileContent {
  const comma = data.startsWith('data:') ? data.indexOf(',') : -1;
  const mediaType = comma === -1 ? undefined : /^data:([^;,]+)/.exec(data.slice(0, comma))?.[1];
  return { bytes: fromBase64(data.slice(comma + 1)), filename: undefined, mediaType };
}

/**
 * A file of the project.
 *
 * @param param The request field with the ID, for errors. @throws a 404 for an ID that is not in the project, a 400 for a file that is too
 * large.
 */
export async function readStoredFile(
  id: string,
  param: string,
  { call, server, reserveMemory }: InputContext,
): Promise<FileContent> {
  const { stores, blobs } = server.options;
  if (!stores || !blobs) {
    throw unsupported(
      param,
      `Unsupported parameter: '${param}' is not supported: this server does not store files. Send the content instead.`,
    );
  }
  const record = await stores.project(call.principal.project).files.get(id);
  if (!record || hasExpired(record.file)) throw notFound('file', id, param);
  const { bytes: size, filename } = record.file;
  if (size > FILE_INPUT_MAX_BYTES) {
    throw invalid(
      param,
      `The file in '${param}' is larger than ${FILE_INPUT_MAX_BYTES} bytes: it cannot be part of a message.`,
      'file_too_large',
    );
  }
  reserveMemory(size);
  const bytes = new Uint8Array(size);
  let at = 0;
  for await (const piece of readSegments(blobs, record.content, { start: 0, end: size })) {
    call.client.signal.throwIfAborted();
    bytes.set(piece, at);
    at += piece.length;
  }
  return { bytes, filename, mediaType: record.mediaType };
}
