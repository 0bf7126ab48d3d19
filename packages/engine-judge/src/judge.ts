import { createSemaphore, raceAbort } from '@modelwire/adapter-kit';
import { modelNotFound } from '@modelwire/ports';
import type {
  ChatModel,
  ModerationContext,
  ModerationEngine,
  ModerationInput,
  ModerationVerdict,
} from '@modelwire/ports';
import { readVerdict } from './answer.ts';
import { categories } from './categories.ts';
import type { Scores } from './categories.ts';
import { isInvalidRequest, malformedVerdict, modelUnavailable, toClientError, verdictTimeout } from './failures.ts';
import { settingsOf } from './options.ts';
import type { JudgeOptions, Settings } from './options.ts';
import { question, strictestFormat } from './question.ts';
import type { Question } from './question.ts';
import { readReply } from './reply.ts';
import type { Reply, ReplyMetadata } from './reply.ts';

/**
 * A moderation engine that asks a chat model, of any engine. Each input is one question; images are included if the model
 * supports them, else the engine moderates text only (API: POST /v1/moderations).
 * Fails closed: after an invalid answer the model is asked again and told the error, and after the last retry the request fails
 * with 502 `judge_malformed`. An unavailable model is a 503 `judge_unavailable`, a timeout a 504 `judge_timeout`. Closing it does
 * not close the chat engine.
 * @throws {TypeError} naming the invalid option.
 */
export function createJudge(options: JudgeOptions): ModerationEngine {
  const settings = settingsOf(options);
  const { engine, name } = settings;
  const semaphore = createSemaphore(settings.concurrency);
  const created = Math.floor(Date.now() / 1000);
  const judgeModel = (): ChatModel | undefined => engine.models().find(({ id }) => id === settings.model);

  async function judge(input: ModerationInput, init: Asking): Promise<ModerationVerdict> {
    const late = AbortSignal.timeout(settings.timeoutMs);
    try {
      return await verdict(input, { ...init, signal: AbortSignal.any([init.signal, late]) });
    } catch (error) {
      init.signal.throwIfAborted();
      throw late.aborted ? verdictTimeout(settings.timeoutMs) : toClientError(error);
    }
  }

  async function verdict(input: ModerationInput, asking: Asking): Promise<ModerationVerdict> {
    const { model } = asking;
    const { retries, maxTokens } = settings;
    let format = strictestFormat(model.capabilities);
    let problem: string | undefined;
    let attempts = 0;
    for (;;) {
      const asked = question({ model, input, format, problem, maxTokens });
      let reply: Reply;
      try {
        reply = await ask(asked, asking);
      } catch (error) {
        if (format === 'text' || !isInvalidRequest(error)) throw error;
        // Some providers accept only a part of JSON Schema. This happens once and does not count as an attempt.
        format = 'text';
        continue;
      }
      const read = reply.text === undefined ? reply : readVerdict(reply.text, input);
      if (read.problem === undefined) return verdictOf(read.scores, input, settings);
      problem = read.problem;
      if (++attempts > retries) throw malformedVerdict(settings.model, attempts, problem);
    }
  }

  async function ask(asked: Question, { model, requestId, observer, signal }: Asking): Promise<Reply> {
    const { request, requestBody } = asked;
    const observation = observer?.startGeneration({
      operation: 'chat',
      engine: engine.name,
      isRemote: engine.isRemote === true,
      model: model.id,
      isStreamed: false,
      queuedMs: 0,
      request,
    });
    // A separate project: no other request can observe the engine's cache of this text.
    const context = { requestId, project: `judge:${requestId}`, model, requestBody, observer: observation, signal };
    const metadata: ReplyMetadata = { usage: undefined, finishReasons: [] };
    let failure: unknown;
    try {
      // An engine may ignore its signal.
      return await raceAbort(readReply(engine, asked, context, metadata), signal);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      observation?.end({ ...metadata, firstTokenAt: undefined, error: failure });
    }
  }

  return {
    name,
    models() {
      const inputs = judgeModel()?.capabilities.inputs.includes('image')
        ? (['text', 'image'] as const)
        : (['text'] as const);
      return settings.models.map((id) => ({ id, created, owned_by: name, inputs }));
    },
    async moderate({ model: id, inputs }, { requestId, observer, signal }) {
      if (!settings.models.includes(id)) throw modelNotFound(id);
      const model = judgeModel();
      if (!model) throw modelUnavailable(settings.model);
      // The first failure aborts the others: without all verdicts there is no response.
      const failed = new AbortController();
      const either = AbortSignal.any([signal, failed.signal]);
      const judged = (input: ModerationInput): Promise<ModerationVerdict> =>
        judge(input, { model, requestId, observer, signal: either }).catch((error: unknown) => {
          failed.abort(error);
          throw error;
        });
      return Promise.all(inputs.map((input) => semaphore.run(() => judged(input), either)));
    },
  };
}

interface Asking extends Pick<ModerationContext, 'requestId' | 'observer' | 'signal'> {
  readonly model: ChatModel;
}

function verdictOf(scores: Scores, input: ModerationInput, { thresholds }: Settings): ModerationVerdict {
  // The model sees all parts together, for all categories.
  const appliedTo = [...new Set(input.map(({ type }) => type))];
  return Object.fromEntries(
    categories.map((name) => {
      const score = scores[name];
      const threshold = thresholds[name];
      return [name, { score, flagged: score >= threshold, threshold, appliedTo }];
    }),
  );
}
