import type { ChatEvent } from '@modelwire/ports';
import type { LanguageModelV4FinishReason, LanguageModelV4Source, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { UrlCitationAnnotation } from '@modelwire/schema/types';
import { finishReason } from './finish-reason.ts';
import type { ProviderMetadata } from './provider-metadata.ts';
import { recordReplyParts } from './reply-parts.ts';
import { completionUsage } from './usage.ts';

type Part<Type extends LanguageModelV4StreamPart['type']> = Extract<LanguageModelV4StreamPart, { readonly type: Type }>;

/** Converts the parts of a streamed reply to events of choice 0. */
export interface StreamPartReader {
  /** Adds the events of a part. Parts without content (warnings, errors, pings) add none. */
  read(part: LanguageModelV4StreamPart, events: ChatEvent[]): void;
  /** The reason with which the provider finished; undefined while it has not. */
  readonly finished: LanguageModelV4FinishReason | undefined;
  /** The metadata that the provider requires in the next request; undefined if there is none. */
  providerMetadata(): ProviderMetadata | undefined;
}

interface OpenToolCall {
  readonly index: number;
  hasInput: boolean;
}

export function createStreamPartReader(provider: string): StreamPartReader {
  const choice = 0;
  const replyParts = recordReplyParts(provider);
  const toolCalls = new Map<string, OpenToolCall>();
  /** Title by URL. */
  const sources = new Map<string, string>();
  const images: GeneratedImage[] = [];
  /** In characters (code points), as positions of annotations are. */
  let textLength = 0;
  let finished: LanguageModelV4FinishReason | undefined;

  function openToolCall(id: string, name: string, events: ChatEvent[]): OpenToolCall {
    const call = { index: toolCalls.size, hasInput: false };
    toolCalls.set(id, call);
    events.push({ type: 'tool_call', choice, index: call.index, id, kind: 'function', name });
    return call;
  }

  function addInput(call: OpenToolCall, text: string, events: ChatEvent[]): void {
    if (text === '') return;
    call.hasInput = true;
    events.push({ type: 'tool_input', choice, index: call.index, kind: 'function', text });
  }

  function readToolCall(part: Part<'tool-call'>, events: ChatEvent[]): void {
    if (part.providerExecuted) return;
    replyParts.toolCall(part.toolCallId, part.providerMetadata);
    const call = toolCalls.get(part.toolCallId) ?? openToolCall(part.toolCallId, part.toolName, events);
    if (!call.hasInput) addInput(call, part.input, events);
  }

  function readSource(source: LanguageModelV4Source): void {
    if (source.sourceType !== 'url') return;
    const { url, title = url } = source;
    if (!sources.has(url)) sources.set(url, title);
  }

  /** Few providers report which text a source supports: it applies to the whole text. */
  function annotation([url, title]: readonly [string, string]): UrlCitationAnnotation {
    return { type: 'url_citation', url_citation: { url, title, start_index: 0, end_index: textLength } };
  }

  function readFinish(part: Part<'finish'>, events: ChatEvent[]): void {
    finished = part.finishReason;
    const reason = finishReason(part.finishReason, toolCalls.size > 0);
    if (reason === undefined) return;
    if (sources.size > 0) events.push({ type: 'annotations', choice, annotations: [...sources].map(annotation) });
    const provider_metadata = replyParts.providerMetadata();
    // In one chunk: clients replace unknown fields of a delta instead of merging them.
    const delta = { ...(provider_metadata && { provider_metadata }), ...(images.length > 0 && { images }) };
    if (Object.keys(delta).length > 0) events.push({ type: 'extra', choice, delta });
    events.push({ type: 'finish', choice, reason });
    const usage = completionUsage(part.usage);
    if (usage) events.push({ type: 'usage', usage });
  }

  return {
    get finished() {
      return finished;
    },
    providerMetadata: () => replyParts.providerMetadata(),
    read(part, events) {
      switch (part.type) {
        case 'text-start':
        case 'text-delta':
        case 'text-end': {
          const text = part.type === 'text-delta' ? part.delta : '';
          replyParts.text(part.id, text, part.providerMetadata);
          textLength += Array.from(text).length;
          if (text !== '') events.push({ type: 'text', choice, text });
          break;
        }
        case 'reasoning-start':
        case 'reasoning-delta':
        case 'reasoning-end': {
          const text = part.type === 'reasoning-delta' ? part.delta : '';
          replyParts.reasoning(part.id, text, part.providerMetadata);
          if (text !== '') events.push({ type: 'extra', choice, delta: { reasoning_content: text } });
          break;
        }
        case 'tool-input-start':
          if (!part.providerExecuted) openToolCall(part.id, part.toolName, events);
          break;
        case 'tool-input-delta': {
          const call = toolCalls.get(part.id);
          if (call) addInput(call, part.delta, events);
          break;
        }
        case 'tool-call':
          readToolCall(part, events);
          break;
        case 'file':
          if (part.mediaType.startsWith('image/')) images.push(generatedImage(part));
          break;
        case 'source':
          readSource(part);
          break;
        case 'finish':
          readFinish(part, events);
      }
    },
  };
}

/** An image in a reply, in the form that gateways with image output use. */
interface GeneratedImage {
  readonly type: 'image_url';
  readonly image_url: { readonly url: string };
}

function generatedImage({ data, mediaType }: Part<'file'>): GeneratedImage {
  return { type: 'image_url', image_url: { url: fileUrl(data, mediaType) } };
}

function fileUrl(data: Part<'file'>['data'], mediaType: string): string {
  if (data.type === 'url') return data.url.href;
  const base64 = typeof data.data === 'string' ? data.data : Buffer.from(data.data).toString('base64');
  return `data:${mediaType};base64,${base64}`;
}
