import type {
  ChatCompletionContentPart,
  MessageDocumentBlockParam,
  MessageImageBlockParam,
  MessageSearchResultBlockParam,
  MessageTextBlockParam,
  MessageToolResultBlockParam,
} from '@modelwire/schema/types';
import { unsupportedValue } from '../../errors.ts';
import { imageFileUrl } from '../../generation/image-files.ts';

type ContentBlock =
  MessageTextBlockParam | MessageImageBlockParam | MessageDocumentBlockParam | MessageSearchResultBlockParam;

/** A part of a chat message, and the block that it comes from. */
export interface PartWithPath {
  readonly part: ChatCompletionContentPart;
  readonly path: string;
}

/** Whether an upstream receives the blocks as they are. */
export interface Relaying {
  readonly isRelayed: boolean;
}

/** The parts of a block. @throws a 400 for a document that this server would have to download, and for a file that the upstream does not have. */
export function partsOf(block: ContentBlock, path: string, relaying: Relaying): readonly PartWithPath[] {
  if ('source' in block && typeof block.source === 'object' && block.source.type === 'file' && relaying.isRelayed)
    throw unsupportedValue(
      path,
      `Unsupported value: '${path}' is a file of this server, which the upstream of the model does not have. Send it in base64.`,
    );
  switch (block.type) {
    case 'text':
      return [textPart(block.text, path)];
    case 'image':
      return [{ part: { type: 'image_url', image_url: { url: imageUrl(block.source) } }, path }];
    case 'document':
      return documentParts(block, path, relaying);
    case 'search_result': {
      const { title, source, content } = block;
      return [textPart([`${title} (${source})`, ...content.map(({ text }) => text)].join('\n'), path)];
    }
  }
}

function textPart(text: string, path: string): PartWithPath {
  return { part: { type: 'text', text }, path };
}

function imageUrl(source: MessageImageBlockParam['source']): string {
  switch (source.type) {
    case 'base64':
      return `data:${source.media_type};base64,${source.data}`;
    case 'url':
      return source.url;
    case 'file':
      return imageFileUrl(source.file_id);
  }
}

function documentParts(
  { source, title, context }: MessageDocumentBlockParam,
  path: string,
  relaying: Relaying,
): readonly PartWithPath[] {
  const named = title === undefined ? {} : { filename: title };
  const heading = [title, context].filter((text) => text !== undefined).map((text) => textPart(text, path));
  switch (source.type) {
    case 'text':
      return [...heading, textPart(source.data, path)];
    case 'content':
      return [
        ...heading,
        ...(typeof source.content === 'string'
          ? [textPart(source.content, path)]
          : source.content.flatMap((block) => partsOf(block, path, relaying))),
      ];
    case 'base64': {
      const file_data = `data:${source.media_type};base64,${source.data}`;
      return [...heading, { part: { type: 'file', file: { file_data, filename: title ?? 'document.pdf' } }, path }];
    }
    case 'file':
      return [...heading, { part: { type: 'file', file: { file_id: source.file_id, ...named } }, path }];
    case 'url':
      if (relaying.isRelayed) return [...heading, textPart(source.url, path)];
      throw unsupportedValue(
        `${path}.source.type`,
        `Unsupported value: '${path}.source.type' is 'url': this server downloads no documents. Send the document itself.`,
      );
  }
}

/** The content of a user message: a string if it is text alone, because not every model server supports parts. */
export function contentOf(parts: readonly PartWithPath[]): string | readonly ChatCompletionContentPart[] {
  const texts = parts.flatMap(({ part }) => (part.type === 'text' ? [part.text] : []));
  return texts.length === parts.length ? texts.join('\n\n') : parts.map(({ part }) => part);
}

/** The result of a tool as text, and what of it cannot be text. */
export function resultText(
  { content = '', is_error: isError, tool_use_id: id }: MessageToolResultBlockParam,
  path: string,
  relaying: Relaying,
): { readonly text: string; readonly attached: readonly PartWithPath[] } {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  const parts = blocks.flatMap((block, index) =>
    block.type === 'tool_reference'
      ? [textPart(`Available tool: ${block.tool_name}`, path)]
      : partsOf(block, typeof content === 'string' ? path : `${path}.content[${index}]`, relaying),
  );
  const text = parts.flatMap(({ part }) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const others = parts.filter(({ part }) => part.type !== 'text');
  const shown = text === '' && others.length > 0 ? 'The output follows.' : text;
  return {
    // Tool messages cannot say that the tool failed.
    text: isError === true ? `Error: ${shown}` : shown,
    attached: others.length > 0 ? [textPart(`Output of the call '${id}':`, path), ...others] : [],
  };
}
