import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { VideoError } from '@modelwire/server';
import type {
  CategoryVerdict,
  ModerationEngine,
  ModerationEngineModel,
  ModerationInput,
  ModerationVerdict,
  VideoEngine,
  VideoModel,
} from '@modelwire/server';
import type { ModerationCategory } from '@modelwire/schema/types';
import type { FaultPlan } from '../faults/plan.ts';
import { unmatchedError } from '../replies/chat-script.ts';
import { errorOf } from '../replies/events.ts';
import { quoted } from '../replies/match.ts';
import { matchPattern, matchesName, showPattern } from '../replies/pattern.ts';
import type { RuleSet } from '../replies/rule-set.ts';
import type { ParsedModerationRule, ParsedVideoRule } from '../replies/job-rules.ts';

export interface ScriptedEngineInit<Rule> {
  readonly rules: RuleSet<Rule>;
  readonly created: number;
  readonly onUnmatched: (error: Error) => void;
}

/** A moderation engine that follows rules. Without rules, nothing is flagged. */
export function scriptedModeration(init: ScriptedEngineInit<ParsedModerationRule>): ModerationEngine {
  const { rules: book, created, onUnmatched } = init;
  const model = (id: string): ModerationEngineModel => ({
    id,
    created,
    owned_by: 'modelwire-testing',
    inputs: ['text', 'image'],
  });
  const listed = [model('omni-moderation-latest')];
  function judge(id: string, input: ModerationInput): ModerationVerdict {
    const text = input.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    const taken = book.take(({ when }) => fits(id, text, { model: when?.model, text: when?.text }));
    if (taken?.rule.reply.error) throw errorOf(taken.rule.reply.error);
    if (taken) return verdictOf(taken.rule.reply, input);
    if (book.rules().length === 0) return {};
    const error = unmatchedError('moderation', `model ${quoted(id)}, text ${quoted(text)}`, book, ({ when }) =>
      wants({ model: when?.model, text: when?.text }),
    );
    onUnmatched(error);
    throw error;
  }
  return {
    name: 'scripted-moderation',
    models: () => listed,
    resolveModel: model,
    moderate: async ({ model: id, inputs }) => inputs.map((input) => judge(id, input)),
  };
}

function verdictOf({ flagged = [], scores = {} }: ParsedModerationRule['reply'], input: ModerationInput) {
  const appliedTo = [...new Set(input.map(({ type }) => type))];
  const verdict: Partial<Record<ModerationCategory, CategoryVerdict>> = {};
  for (const [category, score] of Object.entries(scores)) {
    verdict[category as ModerationCategory] = { score, flagged: score >= 0.5, appliedTo };
  }
  for (const category of flagged) {
    verdict[category] = { score: scores[category] ?? 0.9, flagged: true, appliedTo };
  }
  return verdict;
}

/** A video engine that follows rules. Without rules, each video has a few bytes and completes immediately. */
export function scriptedVideo(init: ScriptedEngineInit<ParsedVideoRule> & { readonly faults: FaultPlan }): VideoEngine {
  const { rules: book, faults, created, onUnmatched } = init;
  const model = (id: string): VideoModel => ({
    id,
    created,
    owned_by: 'modelwire-testing',
    sizes: ['720x1280', '1280x720', '1024x1792', '1792x1024'],
    seconds: ['4', '8', '12'],
    inputReference: true,
  });
  const listed = [model('sora-2')];
  return {
    name: 'scripted-video',
    concurrency: 64,
    models: () => listed,
    resolveModel: model,
    async render({ model: id, prompt, source }, { progress, save, signal }) {
      const planned = faults.takeInternal('video-failure');
      if (planned) throw new VideoError(planned.code, planned.message);
      const taken = book.take(({ when }) => {
        if (when?.remix !== undefined && when.remix !== (source !== undefined)) return undefined;
        return fits(id, prompt, { model: when?.model, text: when?.prompt });
      });
      if (!taken && book.rules().length > 0) {
        const asked = `model ${quoted(id)}, prompt ${quoted(prompt)}${source ? ', a remix' : ''}`;
        const error = unmatchedError('video', asked, book, ({ when }) =>
          wants({ model: when?.model, prompt: when?.prompt }),
        );
        onUnmatched(error);
        throw new VideoError('no_scripted_reply', error.message);
      }
      const { file, bytes, progress: steps = [], pace = 0, failure } = taken?.rule.reply ?? {};
      for (const step of steps) {
        progress(step);
        await sleep(pace, undefined, { signal });
      }
      if (failure) {
        throw new VideoError(failure.code ?? 'scripted_failure', failure.message ?? 'Scripted video failure.');
      }
      await save('video', 'video/mp4', once(bytes ?? (file === undefined ? mp4() : await readFile(file))));
    },
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** An MP4 file with a type (`ftyp`) and no content (`free`). */
function mp4(): Uint8Array {
  return new TextEncoder().encode('\0\0\0\x18ftypisom\0\0\0\0isommp42\0\0\0\x08free');
}

interface Wanted {
  readonly [part: string]: string | RegExp | undefined;
  readonly model: string | RegExp | undefined;
}

function fits(model: string, text: string, wanted: Wanted): true | undefined {
  if (wanted.model !== undefined && !matchesName(model, wanted.model)) return undefined;
  return wanted['text'] === undefined || matchPattern(text, wanted['text']) ? true : undefined;
}

function wants(wanted: Wanted): string {
  const parts = Object.entries(wanted).flatMap(([part, pattern]) =>
    pattern === undefined ? [] : [`${part} ${showPattern(pattern)}`],
  );
  return parts.length === 0 ? 'any' : parts.join(', ');
}
