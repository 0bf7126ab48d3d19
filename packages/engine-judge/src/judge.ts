import { createSemaphore, raceAbort } from '@modelwire/adapter-kit';
import { modelNotFound } from '@modelwire/ports';
import type {
  ChatModel,
  ModerationContext,
  ModerationEngine,
  ModerationInput,
  ModerationVerdict,
} from '@modelwire/ports';
import { raiseParents } from './answer.ts';
import { categories } from './categories.ts';
import type { Scores } from './categories.ts';
import { isInvalidRequest, malformedVerdict, modelUnavailable, toClientError, verdictTimeout } from './failures.ts';
import { guardInquiries, judgedCategories } from './guard.ts';
import { settingsOf } from './options.ts';
import type { JudgeOptions, Settings } from './options.ts';
import { generalInquiry } from './question.ts';
import type { Inquiry, Question } from './inquiry.ts';
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
  const { engine, name, preset } = settings;
  const semaphore = createSemaphore(settings.concurrency);
  const created = Math.floor(Date.now() / 1000);
  const judged = preset ? judgedCategories(preset) : categories;
  const judgeModel = (): ChatModel | undefined => engine.models().find(({ id }) => id === settings.model);

  async function judge(inquiry: Inquiry, init: Asking): Promise<Partial<Scores>> {
    const late = AbortSignal.timeout(settings.timeoutMs);
    try {
      return await scoresOf(inquiry, { ...init, signal: AbortSignal.any([init.signal, late]) });
    } catch (error) {
      init.signal.throwIfAborted();
      throw late.aborted ? verdictTimeout(settings.timeoutMs) : toClientError(error);
    }
  }

  function inquiriesAbout(input: ModerationInput, model: ChatModel): readonly Inquiry[] {
    const subject = { model, input, maxTokens: settings.maxTokens };
    return preset ? guardInquiries(preset, subject) : [generalInquiry(subject)];
  }

  async function scoresOf({ ask, read, advice }: Inquiry, asking: Asking): Promise<Partial<Scores>> {
    let isPlain = false;
    let problem: string | undefined;
    let attempts = 0;
    for (;;) {
      const asked = ask({ isPlain, problem });
      let reply: Reply;
      try {
        reply = await send(asked, asking);
      } catch (error) {
        if (asked.isPlain || !isInvalidRequest(error)) throw error;
        // Some providers accept only a part of JSON Schema, or no log probabilities. This happens once and does not count as an attempt.
        isPlain = true;
        continue;
      }
      const verdict = reply.text === undefined ? reply : read(reply);
      if (verdict.problem === undefined) return verdict.scores;
      problem = verdict.problem;
      if (++attempts > settings.retries) throw malformedVerdict(settings.model, { attempts, problem, advice });
    }
  }

  async function send(asked: Question, { model, requestId, observer, signal }: Asking): Promise<Reply> {
    const { request, requestBody } = asked;
    const observation = observer?.startGeneration({
      operation: asked.prompt === undefined ? 'chat' : 'text_completion',
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
      const supported = judgeModel()?.capabilities.inputs;
      const inputs = (preset?.inputs ?? ['text', 'image']).filter(
        (kind) => kind === 'text' || supported?.includes(kind),
      );
      return settings.models.map((id) => ({ id, created, owned_by: name, inputs, categories: judged }));
    },
    async moderate({ model: id, inputs }, { requestId, observer, signal }) {
      if (!settings.models.includes(id)) throw modelNotFound(id);
      const model = judgeModel();
      if (!model) throw modelUnavailable(settings.model);
      // The first failure aborts the others: without all verdicts there is no response.
      const failed = new AbortController();
      const either = AbortSignal.any([signal, failed.signal]);
      const answer = (inquiry: Inquiry): Promise<Partial<Scores>> =>
        judge(inquiry, { model, requestId, observer, signal: either }).catch((error: unknown) => {
          failed.abort(error);
          throw error;
        });
      return Promise.all(
        inputs.map(async (input) => {
          const inquiries = inquiriesAbout(input, model);
          const scores = await Promise.all(inquiries.map((one) => semaphore.run(() => answer(one), either)));
          // No two questions are about the same category.
          const all = scores.reduce((some, others) => ({ ...some, ...others }), {});
          return verdictOf(raiseParents(all), input, settings);
        }),
      );
    },
  };
}

interface Asking extends Pick<ModerationContext, 'requestId' | 'observer' | 'signal'> {
  readonly model: ChatModel;
}

function verdictOf(scores: Partial<Scores>, input: ModerationInput, { thresholds }: Settings): ModerationVerdict {
  // The model sees all parts together, for all categories that it judges.
  const appliedTo = [...new Set(input.map(({ type }) => type))];
  return Object.fromEntries(
    categories.flatMap((name) => {
      const score = scores[name];
      if (score === undefined) return [];
      const threshold = thresholds[name];
      return [[name, { score, flagged: score >= threshold, threshold, appliedTo }]];
    }),
  );
}
