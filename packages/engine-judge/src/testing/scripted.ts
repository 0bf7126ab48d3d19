import { capabilities } from '@modelwire/ports';
import type {
  CapabilitiesInit,
  ChatEngine,
  ChatEvent,
  ChatRequest,
  EngineContext,
  ModerationInput,
} from '@modelwire/ports';
import { categories } from '../categories.ts';

/** The model's reply to a question: a text, events, or an error to throw. */
export type Script = (said: {
  readonly attempt: number;
  readonly request: ChatRequest;
  readonly context: EngineContext;
}) => string | readonly ChatEvent[] | Promise<string>;

export interface Scripted extends ChatEngine {
  readonly seen: { readonly request: ChatRequest; readonly context: EngineContext }[];
}

/** A chat engine whose model `m` gives scripted replies. */
export function scripted(script: Script, can: CapabilitiesInit = withSchema): Scripted {
  const seen: Scripted['seen'] = [];
  return {
    name: 'scripted',
    models: () => [{ id: 'm', created: 1, owned_by: 'tests', capabilities: capabilities(can) }],
    seen,
    async *generate(request, context) {
      seen.push({ request, context });
      const said = await script({ attempt: seen.length - 1, request, context });
      if (typeof said !== 'string') {
        yield said;
        return;
      }
      yield { type: 'text', choice: 0, text: said.slice(0, 5) };
      yield [
        { type: 'text', choice: 0, text: said.slice(5) },
        { type: 'finish', choice: 0, reason: 'stop' },
      ];
    },
  };
}

export const withSchema: CapabilitiesInit = {
  parameters: { response_format: 'native', temperature: 'native', max_completion_tokens: 'native' },
  response_formats: ['text', 'json_object', 'json_schema'],
};

/** A complete verdict: all scores are 0 by default. */
export function verdict(scores: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ ...Object.fromEntries(categories.map((name) => [name, 0])), ...scores });
}

/** The content of the user message, images as their URLs. */
export function userText({ messages }: ChatRequest): string {
  const content = messages.at(-1)?.content ?? '';
  if (typeof content === 'string') return content;
  return content
    .map((part) => (part.type === 'text' ? part.text : part.type === 'image_url' ? part.image_url.url : ''))
    .join('\n');
}

export const text = (said: string): ModerationInput => [{ type: 'text', text: said }];
export const idle = { requestId: 'req_1', signal: new AbortController().signal };
export const latest = 'omni-moderation-latest';
