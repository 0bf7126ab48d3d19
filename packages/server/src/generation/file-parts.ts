import { yieldAfterLarge } from '@modelwire/adapter-kit/internal';
import type { ChatModel } from '@modelwire/ports';
import { FILE_INPUT_MAX_BYTES } from '@modelwire/schema';
import type {
  ChatCompletionContentPart,
  ChatCompletionContentPartFile,
  ChatCompletionContentPartText,
} from '@modelwire/schema/types';
import { toBase64 } from '../json/base64.ts';
import { RequestError, invalid, unsupported, unsupportedValue } from '../errors.ts';
import { plainDataUrl, readInlineData } from '../media/data-url.ts';
import { findStoredFile, readAll } from '../media/files/stored-file.ts';
import type { InputLoading } from '../media/images/read-image.ts';

/** The request whose inputs are loaded, and the model that receives them. */
export interface ChatInputLoading extends InputLoading {
  readonly model: ChatModel;
}

/** A file with its metadata. */
interface FileContent {
  readonly bytes: Uint8Array;
  readonly filename: string | undefined;
  readonly mediaType: string | undefined;
}

/**
 * Converts a file part for the engine (API: Message types, file part): base64 for engines that support files, otherwise its text,
 * including that of PDFs if this server reads them. Files of other types require an engine that supports files.
 *
 * @throws a 404 for an ID that is not in the project, a 400 for a file that this model does not support.
 */
export async function prepareFilePart(
  part: ChatCompletionContentPartFile,
  path: string,
  context: ChatInputLoading,
): Promise<ChatCompletionContentPart> {
  const { file } = part;
  const acceptsFiles = context.model.capabilities.inputs.includes('file');
  if (file.file_data !== undefined && acceptsFiles) {
    const fileData = plainDataUrl(file.file_data);
    return fileData === file.file_data ? part : { ...part, file: { ...file, file_data: fileData } };
  }
  const content =
    file.file_data === undefined
      ? await readStoredFile(file.file_id ?? '', `${path}.file_id`, context)
      : { ...readInlineData(file.file_data), filename: undefined };
  const { byteLength } = content.bytes;
  await yieldAfterLarge(byteLength);
  const filename = file.filename ?? content.filename;
  if (acceptsFiles) {
    const mediaType = content.mediaType ?? (isPdf(content.bytes) ? 'application/pdf' : 'application/octet-stream');
    const file_data = `data:${mediaType};base64,${toBase64(content.bytes)}`;
    return { type: 'file', file: { file_data, ...(filename !== undefined && { filename }) } };
  }
  const pdfText = isPdf(content.bytes) ? await extractPdfText(content.bytes, path, context) : undefined;
  const text = pdfText ?? fileText(content.bytes);
  await yieldAfterLarge(byteLength);
  if (text === undefined) {
    const description = isPdf(content.bytes) ? 'a PDF' : 'not text';
    const { id } = context.model;
    throw unsupportedValue(
      path,
      `Unsupported value: the file in '${path}' is ${description}, which the model '${id}' does not support. It supports files of UTF-8 text.`,
    );
  }
  return createTextPart(text, filename);
}

/** The text of a PDF; undefined if this server does not read PDFs. @throws a 400 that names the part. */
async function extractPdfText(
  bytes: Uint8Array,
  path: string,
  { call, server, memory }: ChatInputLoading,
): Promise<string | undefined> {
  const { readPdf } = server.options;
  if (!readPdf) return undefined;
  try {
    const text = await readPdf(bytes, { signal: call.client.signal });
    memory.acquireNow(text.length);
    return text;
  } catch (error) {
    if (error instanceof RequestError && error.status === 400) throw invalid(path, error.message, error.code);
    throw error;
  }
}

/** A text part with the content of a file, between marker lines that separate it from the rest of the message. */
function createTextPart(text: string, filename: string | undefined): ChatCompletionContentPartText {
  const label = filename === undefined ? '' : ` ${JSON.stringify(filename)}`;
  return { type: 'text', text: `[File${label}]\n${text}${text.endsWith('\n') ? '' : '\n'}[End of file${label}]\n` };
}

/**
 * Reads a file of the project.
 *
 * @param param The request field with the ID, for errors. @throws a 404 for an ID that is not in the project, a 400 for a file that is too
 * large.
 */
export async function readStoredFile(
  id: string,
  param: string,
  { call, server, memory }: InputLoading,
): Promise<FileContent> {
  if (!server.options.blobs) {
    throw unsupported(
      param,
      `Unsupported parameter: '${param}' is not supported: this server does not store files. Send the content instead.`,
    );
  }
  const { file, content, mediaType } = await findStoredFile(id, param, call, server);
  if (file.bytes > FILE_INPUT_MAX_BYTES) {
    throw invalid(
      param,
      `The file in '${param}' is larger than ${FILE_INPUT_MAX_BYTES} bytes: it cannot be part of a message.`,
      'file_too_large',
    );
  }
  memory.acquireNow(file.bytes);
  const bytes = await readAll(content, server, call.client.signal);
  return { bytes, filename: file.filename, mediaType };
}

/** The text of a file, regardless of its name: UTF-8 without control characters other than whitespace. Undefined for any other content. */
function fileText(bytes: Uint8Array): string | undefined {
  if (isPdf(bytes)) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return /[\x00-\x08\x0e-\x1f\x7f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function isPdf(bytes: Uint8Array): boolean {
  return bytes[0] === 0x25 && bytes[1] === 0x50 && bytes[2] === 0x44 && bytes[3] === 0x46;
}
