import { isRecord } from '@modelwire/adapter-kit';
import { withoutEndToken, withTokenLogprobs } from './choice-logprobs.ts';
import { readFinishReason } from './finish-reason.ts';
import type { FinishMeaning } from './finish-reason.ts';
import { withTextContent } from './message-content.ts';
import { toChatChoice } from './text-completion-choice.ts';
import { ToolCallAssembler } from './tool-call-assembler.ts';
import { argumentsText } from './tool-call-arguments.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A choice of a chunk as the API defines it, and how it ends the choice. */
export interface NormalizedChoice {
  /** The object that was read, if it was right already. */
  readonly choice: Fields;
  /** Undefined while the choice is being generated. */
  readonly end: FinishMeaning | undefined;
}

/** Normalizes the deltas of one choice of a stream. */
export class ChoiceNormalizer {
  readonly #toolNames: ReadonlySet<string>;
  #calls: ToolCallAssembler | undefined;
  #functionInput: string | undefined;
  #hasOutput = false;
  /** The last piece of text. */
  #lastText = '';
  #end: FinishMeaning | undefined;

  constructor(toolNames: ReadonlySet<string>) {
    this.#toolNames = toolNames;
  }

  /** How the choice ended; undefined while it is being generated. */
  get end(): FinishMeaning | undefined {
    return this.#end;
  }

  /** Whether it has content other than its role. */
  get hasOutput(): boolean {
    return this.#hasOutput;
  }

  /**
   * Returns undefined for what follows the end of the choice.
   *
   * @returns the reason for a reply that cannot be used.
   */
  read(received: Fields): NormalizedChoice | string | undefined {
    if (this.#end !== undefined) return undefined;
    let fields = withTokenLogprobs(this.#withDelta(received));
    let delta = withTextContent(isRecord(fields['delta']) ? fields['delta'] : {});
    delta = withRole(delta);
    if (isRecord(delta['function_call'])) delta = this.#readFunctionCall(delta, delta['function_call']);
    const { tool_calls: toolCalls } = delta;
    if (toolCalls !== undefined && toolCalls !== null) {
      this.#calls ??= new ToolCallAssembler(this.#toolNames);
      delta = withToolCalls(delta, this.#calls.read(toolCalls));
    }
    this.#hasOutput ||= Object.entries(delta).some(([name, value]) => name !== 'role' && hasContent(value));
    if (typeof delta['content'] === 'string' && delta['content'] !== '') this.#lastText = delta['content'];
    this.#end = readFinishReason(fields['finish_reason']);
    if (this.#end !== undefined && this.#end !== 'length') fields = withoutEndToken(fields, this.#lastText);
    if (this.#end !== undefined) {
      const ended = this.#endCalls(delta);
      if (ended === undefined) return 'a tool call without a name';
      delta = ended;
    }
    const reason = this.#finishReason(fields['finish_reason']);
    const isRight = delta === fields['delta'] && reason === fields['finish_reason'];
    return { choice: isRight ? fields : { ...fields, delta, finish_reason: reason }, end: this.#end };
  }

  /** Some servers send the whole message as the only chunk, or once more in the last chunk; servers of legacy completions send a text. */
  #withDelta(fields: Fields): Fields {
    if (isRecord(fields['delta'])) {
      if (!isRecord(fields['message'])) return fields;
      const { message: _, ...rest } = fields;
      return rest;
    }
    const { message, ...rest } = fields;
    if (isRecord(message)) return { ...rest, delta: this.#hasOutput ? {} : message };
    return typeof rest['text'] === 'string' ? toChatChoice(rest) : { ...rest, delta: {} };
  }

  #readFunctionCall(delta: Fields, call: Fields): Fields {
    const text = argumentsText(call['arguments']);
    this.#functionInput = (this.#functionInput ?? '') + text;
    if (typeof call['arguments'] === 'string' || !('arguments' in call)) return delta;
    return { ...delta, function_call: { ...call, arguments: text } };
  }

  /** Completes the calls at the end of the choice. Undefined if one cannot be completed. */
  #endCalls(delta: Fields): Fields | undefined {
    if (this.#functionInput?.trim() === '') {
      const before = isRecord(delta['function_call']) ? delta['function_call'] : {};
      return { ...delta, function_call: { ...before, arguments: '{}' } };
    }
    const last = this.#calls?.end();
    if (!this.#calls || last?.length === 0) return delta;
    if (last === undefined) return undefined;
    const { tool_calls: toolCalls } = delta;
    return { ...delta, tool_calls: [...(Array.isArray(toolCalls) ? (toolCalls as readonly unknown[]) : []), ...last] };
  }

  /** The `finish_reason` of the chunk: null while the choice is being generated, and if its end is decided later. */
  #finishReason(value: unknown): unknown {
    if (this.#end === undefined) return value === undefined ? undefined : null;
    return this.#end === 'failed' || this.#end === 'unknown' ? null : this.reasonFor(this.#end);
  }

  /** A reply with calls ends with them, and one without does not, whatever word the server has for that. */
  reasonFor(reason: Exclude<FinishMeaning, 'failed' | 'unknown'>): string {
    if (reason === 'length' || reason === 'content_filter') return reason;
    if (this.#calls?.hasCalls === true) return 'tool_calls';
    return this.#functionInput === undefined ? 'stop' : 'function_call';
  }
}

/** Some servers send an empty role, or their own. */
function withRole(delta: Fields): Fields {
  const { role, ...rest } = delta;
  if (role === undefined || role === 'assistant') return delta;
  return role === null || role === '' ? rest : { role: 'assistant', ...rest };
}

function withToolCalls(delta: Fields, toolCalls: readonly unknown[]): Fields {
  if (toolCalls === delta['tool_calls'] && toolCalls.length > 0) return delta;
  const { tool_calls: _, ...rest } = delta;
  return toolCalls.length === 0 ? rest : { ...rest, tool_calls: toolCalls };
}

function hasContent(value: unknown): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return value.length > 0;
  return isRecord(value);
}
