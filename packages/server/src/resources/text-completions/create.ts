import { DONE_EVENT, encodeData } from '@modelwire/core';
import type {
  CompletionUsage,
  TextCompletion,
  TextCompletionChoice,
  TextCompletionCreateParamsBase,
} from '@modelwire/schema/types';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { RequestError, renameFields } from '../../errors.ts';
import { generate } from '../../generation/generate.ts';
import type { Generation } from '../../generation/generate.ts';
import { requireModel } from '../../generation/require-model.ts';
import { startGeneration } from '../../generation/start-generation.ts';
import type { JsonReply } from '../../http/reply.ts';
import { nowInSeconds } from '../../clock.ts';
import type { ResolvedChatModel } from '../../models/model-registry.ts';
import { streamReply, writeError } from '../../streaming/event-pipe.ts';
import type { StreamedReply } from '../../streaming/event-pipe.ts';
import type { EventSink } from '../../streaming/event-pipe.ts';
import { addUsage } from '../../streaming/transforms/add-usage.ts';
import { ChoicePieces, joinPieces } from './choices.ts';
import { assertSupported, chatRequestOf, defaultMaxTokens, fieldOf, needsEngineEcho } from './prompts.ts';
import { promptsOf } from '../../generation/text-or-tokens.ts';
import type { Prompt } from '../../generation/text-or-tokens.ts';
import type { Handlers } from '../../http/implement.ts';

type TextCompletionCall = Call<TextCompletionCreateParamsBase>;

/** POST /completions: each prompt is a generation of its own, with the same limits, moderation and truncation as a chat request. */
export const createTextCompletion: Handlers['completions.create'] = async (call, server) => {
  const { body } = call;
  const resolved = requireModel('chat', body.model, server);
  const prompts = promptsOf(body.prompt);
  assertSupported(body, prompts, resolved, server);
  const run = new TextCompletionRun(call, server, resolved, prompts);
  return body.stream ? run.stream() : await run.complete();
};

/** One admitted request. (A class, since its methods share the request and the texts so far.) */
class TextCompletionRun {
  readonly #call: TextCompletionCall;
  readonly #server: ServerContext;
  readonly #resolvedModel: ResolvedChatModel;
  readonly #prompts: readonly Prompt[];
  readonly #pieces: ChoicePieces;
  readonly #metadata: Pick<TextCompletion, 'id' | 'object' | 'created' | 'model'>;
  readonly #usages: CompletionUsage[] = [];
  #fingerprint: string | undefined;

  constructor(
    call: TextCompletionCall,
    server: ServerContext,
    resolvedModel: ResolvedChatModel,
    prompts: readonly Prompt[],
  ) {
    this.#call = call;
    this.#server = server;
    this.#resolvedModel = resolvedModel;
    this.#prompts = prompts;
    this.#pieces = new ChoicePieces(call.body.logprobs !== undefined);
    this.#metadata = {
      id: server.createId('cmpl-'),
      object: 'text_completion',
      created: nowInSeconds(server.clock),
      model: call.body.model,
    };
  }

  async complete(): Promise<JsonReply<TextCompletion>> {
    const pieces: TextCompletionChoice[][] = [];
    for (const [index, prompt] of this.#prompts.entries()) {
      for await (const piece of this.#piecesOf(await this.#start(prompt), prompt, index)) {
        (pieces[piece.index] ??= []).push(piece);
      }
    }
    const count = this.#prompts.length * (this.#call.body.n ?? 1);
    const choices = Array.from({ length: count }, (_, index) => joinPieces(pieces[index] ?? [], index));
    return { status: 200, body: { ...this.#chunk(choices), usage: this.#usage() } };
  }

  async stream(): Promise<StreamedReply> {
    const call = this.#call;
    return streamReply(call, this.#server, this.#resolvedModel.engine, async (sink) => {
      try {
        for (const [index, prompt] of this.#prompts.entries()) {
          await this.#write(await this.#start(prompt), prompt, index, sink);
          if (sink.isClosed) return;
        }
        this.#writeEnd(sink);
      } catch (thrown) {
        writeError(thrown, call, sink);
      }
    });
  }

  /** @throws errors that name the fields of this request, not of its chat request. */
  async #start(prompt: Prompt): Promise<Generation> {
    const body = chatRequestOf(this.#call.body, prompt);
    const options = { operation: 'text_completion', defaultOutputTokens: defaultMaxTokens } as const;
    try {
      return await startGeneration(this.#call, body, this.#server, options);
    } catch (error) {
      throw error instanceof RequestError ? renameFields(error, fieldOf) : error;
    }
  }

  async #write(generation: Generation, prompt: Prompt, index: number, sink: EventSink): Promise<void> {
    for await (const piece of this.#piecesOf(generation, prompt, index)) {
      sink.write(encodeData(JSON.stringify(this.#chunk([piece]))));
      if (sink.isFull) await sink.drained();
      if (sink.isClosed) return;
    }
  }

  #writeEnd(sink: EventSink): void {
    if (this.#call.body.stream_options?.include_usage) {
      sink.write(encodeData(JSON.stringify({ ...this.#chunk([]), usage: this.#usage() })));
    }
    sink.write(DONE_EVENT);
  }

  /** Generates the choices of one prompt, and records what that used. */
  async *#piecesOf(generation: Generation, prompt: Prompt, promptIndex: number): AsyncGenerator<TextCompletionChoice> {
    const { accountant, admission } = generation;
    const { n = 1, echo = false, logprobs, suffix } = this.#call.body;
    const isEchoedByEngine = needsEngineEcho(echo, prompt, logprobs);
    const echoed = new Set<number>();
    try {
      const events = generate(generation, (request, context) => {
        const { engine } = this.#resolvedModel;
        if (!engine.complete) throw new Error('the engine does not support text completions');
        const textRequest = { ...request, prompt, suffix: suffix === '' ? undefined : suffix, echo: isEchoedByEngine };
        return engine.complete(textRequest, context);
      });
      for await (const batch of events) {
        this.#fingerprint = accountant.fingerprint ?? this.#fingerprint;
        for (const event of batch) {
          const index = promptIndex * n + event.choice;
          if (echo && !isEchoedByEngine && typeof prompt === 'string' && !echoed.has(index)) {
            echoed.add(index);
            yield this.#pieces.text(index, prompt);
          }
          if (event.type === 'text' || event.type === 'refusal' || event.type === 'echo') {
            yield this.#pieces.text(index, event.text, event.logprobs);
          } else if (event.type === 'finish') yield this.#pieces.finish(index, event.reason);
        }
      }
    } catch (thrown) {
      admission.fail(thrown);
      throw thrown;
    } finally {
      admission.end();
      this.#usages.push(accountant.current);
      // Each prompt has replaced it.
      this.#call.logRecord.usage = this.#usage();
    }
  }

  #chunk(choices: TextCompletionChoice[]): TextCompletion {
    const fingerprint = this.#fingerprint;
    return { ...this.#metadata, ...(fingerprint !== undefined && { system_fingerprint: fingerprint }), choices };
  }

  /** The usage of the prompts that have been processed. */
  #usage(): CompletionUsage {
    return this.#usages.reduce(addUsage);
  }
}
