import { createHmac, randomBytes } from 'node:crypto';
import { modelNotFound, createSemaphore } from '@modelwire/ports';
import type { ChatModel, ModerationEngine, ModerationInput, ModerationVerdict } from '@modelwire/ports';
import { scoresOf } from './answer.ts';
import { categories } from './categories.ts';
import type { Scores } from './categories.ts';
import { absent, malformed, shown, tookTooLong } from './failures.ts';
import { settingsOf } from './options.ts';
import type { JudgeOptions, Settings } from './options.ts';
import { materialLine, question } from './question.ts';
import { replyText } from './reply.ts';

/**
 * A moderation engine that asks a chat model, of any engine. Each input is one question; images are included if the model
 * supports them, else the engine moderates text only (interface: POST /v1/moderations).
 * Fails closed: a reply that is not a complete verdict is retried, and then is a 502 `judge_malformed`, never a verdict. An
 * unavailable model is a 503 `judge_unavailable`, a timeout a 504 `judge_timeout`. Closing it does not close the chat engine.
 * @throws {TypeError} naming the invalid option.
 */
export function createJudge(options: JudgeOptions): ModerationEngine {
  const settings = settingsOf(options);
  const { engine, name } = settings;
  const secret = randomBytes(32);
  const semaphore = createSemaphore(settings.concurrency);
  const created = Math.floor(Date.now() / 1000);
  const judgeModel = (): ChatModel | undefined => engine.models().find(({ id }) => id === settings.model);

  async function judge(input: ModerationInput, init: Asking): Promise<ModerationVerdict> {
    const late = AbortSignal.timeout(settings.timeoutMs);
    try {
      return await verdict(input, { ...init, signal: AbortSignal.any([init.signal, late]) });
    } catch (error) {
      init.signal.throwIfAborted();
      throw late.aborted ? tookTooLong(settings.timeoutMs) : shown(error);
    }
  }

  async function verdict(input: ModerationInput, { model, requestId, signal }: Asking): Promise<ModerationVerdict> {
    const { retries, maxTokens } = settings;
    for (let attempt = 0; attempt <= retries; attempt++) {
      const key = keyOf(secret, input, attempt);
      const asked = question({ model, input, key, attempt, maxTokens });
      // A separate project: no other request can observe the engine's cache of this text.
      const context = { requestId, project: `judge:${requestId}`, model, wire: asked.wire, signal };
      const text = await abortable(replyText(engine, asked, context), signal);
      const scores = text === undefined ? undefined : scoresOf(text.trim(), key, asked.format);
      if (scores) return verdictOf(scores, input, settings);
    }
    throw malformed(retries + 1);
  }

  return {
    name,
    models() {
      const inputs = judgeModel()?.capabilities.inputs.includes('image')
        ? (['text', 'image'] as const)
        : (['text'] as const);
      return settings.models.map((id) => ({ id, created, owned_by: name, inputs }));
    },
    async moderate({ model: id, inputs }, { requestId, signal }) {
      if (!settings.models.includes(id)) throw modelNotFound(id);
      const model = judgeModel();
      if (!model) throw absent();
      // The first failure aborts the others: without all verdicts there is no response.
      const failed = new AbortController();
      const either = AbortSignal.any([signal, failed.signal]);
      const judged = (input: ModerationInput): Promise<ModerationVerdict> =>
        judge(input, { model, requestId, signal: either }).catch((error: unknown) => {
          failed.abort(error);
          throw error;
        });
      return Promise.all(inputs.map((input) => semaphore.run(() => judged(input), either)));
    },
  };
}

interface Asking {
  readonly model: ChatModel;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** The same input gets the same question, which a cache can serve; its author cannot predict the key. */
function keyOf(secret: Uint8Array, input: ModerationInput, attempt: number): string {
  const made = createHmac('sha256', secret).update(`${attempt}\n${materialLine(input)}`);
  for (const part of input) if (part.type === 'image') made.update(part.bytes);
  return made.digest('hex').slice(0, 12);
}

function verdictOf(scores: Scores, input: ModerationInput, { thresholds }: Settings): ModerationVerdict {
  // The model sees all parts together, for all categories.
  const appliedTo = [...new Set(input.map(({ type }) => type))];
  return Object.fromEntries(
    categories.map((name) => [name, { score: scores[name], flagged: scores[name] >= thresholds[name], appliedTo }]),
  );
}

/** Does not wait for an engine that ignores its signal. */
async function abortable<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  let leave: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (leave) signal.removeEventListener('abort', leave);
  }
}
