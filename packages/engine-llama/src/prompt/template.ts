import { Template } from '@huggingface/jinja';
import type { LlamaModel } from 'node-llama-cpp';
import { LlamaSetupError } from '../setup-error.ts';
import type { Vocabulary } from '../vocabulary.ts';

/** A message of a chat template. */
export interface TemplateMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly name?: string;
  readonly tool_call_id?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly type: 'function';
    readonly function: { readonly name: string; readonly arguments: unknown };
  }[];
}

export interface TemplateInput {
  readonly messages: readonly TemplateMessage[];
  /** Only for a template with tool support. */
  readonly tools?: readonly unknown[] | undefined;
  /** Whether to enable reasoning, for a template with such a switch. */
  readonly isReasoning: boolean;
}

export interface ChatTemplate {
  /** Renders the prompt up to the start of the reply. Throws if the template rejects the messages. */
  render(input: TemplateInput): string;
  /** Whether it supports tools with the syntax of calls that this engine parses. */
  readonly supportsTools: boolean;
  /** Whether it renders `reasoning_content` of messages. */
  readonly takesReasoning: boolean;
  /** Whether it has the switch `enable_thinking` and ends reasoning with `</think>`. */
  readonly hasReasoningSwitch: boolean;
}

/** Templates for files without one, by a control token of the model family. */
const defaultTemplates: readonly (readonly [controlToken: string, template: string])[] = [
  [
    '<|im_start|>',
    `{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{% endfor %}{{ '<|im_start|>assistant\\n' }}`,
  ],
  [
    '<|start_header_id|>',
    `{{ bos_token }}{% for m in messages %}{{ '<|start_header_id|>' + m.role + '<|end_header_id|>\\n\\n' + m.content + '<|eot_id|>' }}{% endfor %}{{ '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}`,
  ],
  [
    '<start_of_turn>',
    `{{ bos_token }}{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system role') }}{% endif %}{{ '<start_of_turn>' + ('model' if m.role == 'assistant' else 'user') + '\\n' + m.content + '<end_of_turn>\\n' }}{% endfor %}{{ '<start_of_turn>model\\n' }}`,
  ],
];
const plainTemplate = `{% for m in messages %}{{ m.role + ': ' + m.content + '\\n' }}{% endfor %}{{ 'assistant:' }}`;

/** Parses the chat template of the options or the file; without one, the default template of the model family. */
export function openTemplate(model: LlamaModel, vocabulary: Vocabulary, override: string | undefined): ChatTemplate {
  const found: unknown = model.fileInfo.metadata.tokenizer.chat_template;
  const source =
    override ??
    (typeof found === 'string' && found !== '' ? found : undefined) ??
    defaultTemplates.find(([controlToken]) => vocabulary.hasToken(controlToken))?.[1] ??
    plainTemplate;
  const template = parseTemplate(source);
  const specialTokens = { bos_token: model.tokens.bosString ?? '', eos_token: model.tokens.eosString ?? '' };
  return {
    render: ({ messages, tools, isReasoning }) =>
      template.render({
        ...specialTokens,
        messages,
        ...(tools && { tools }),
        add_generation_prompt: true,
        enable_thinking: isReasoning,
      }),
    takesReasoning: source.includes('reasoning_content'),
    hasReasoningSwitch: source.includes('enable_thinking') && source.includes('</think>'),
    supportsTools:
      /\btools\b/.test(source) &&
      source.includes('<tool_call>') &&
      source.includes('arguments') &&
      !source.includes('<function='),
  };
}

function parseTemplate(source: string): Template {
  try {
    return new Template(source);
  } catch (cause) {
    throw new LlamaSetupError(
      `its chat template is invalid: ${cause instanceof Error ? cause.message : 'it is not Jinja'}. Set another one with chatTemplate`,
      { cause },
    );
  }
}
