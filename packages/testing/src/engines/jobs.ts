import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { VideoError, moderationCategories } from '@modelwire/ports';
import type {
  CategoryVerdict,
  ModerationEngine,
  ModerationEngineModel,
  ModerationInput,
  ModerationVerdict,
  VideoEngine,
  VideoModel,
} from '@modelwire/ports';
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

/** A moderation engine that follows rules and judges all categories. Without rules, nothing is flagged. */
export function scriptedModeration(init: ScriptedEngineInit<ParsedModerationRule>): ModerationEngine {
  const { rules: ruleSet, created, onUnmatched } = init;
  const model = (id: string): ModerationEngineModel => ({
    id,
    created,
    owned_by: 'modelwire-testing',
    inputs: ['text', 'image'],
  });
  const listedModels = [model('omni-moderation-latest')];
  function judge(id: string, input: ModerationInput): ModerationVerdict {
    const text = input.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    const matched = ruleSet.take(({ when }) => matchesPatterns(id, text, { model: when?.model, text: when?.text }));
    if (matched?.rule.reply.error) throw errorOf(matched.rule.reply.error);
    if (matched) return verdictOf(matched.rule.reply, input);
    if (ruleSet.rules().length === 0) return verdictOf({}, input);
    const error = unmatchedError('moderation', `model ${quoted(id)}, text ${quoted(text)}`, ruleSet, ({ when }) =>
      describePatterns({ model: when?.model, text: when?.text }),
    );
    onUnmatched(error);
    throw error;
  }
  return {
    name: 'scripted-moderation',
    models: () => listedModels,
    resolveModel: model,
    moderate: async ({ model: id, inputs }) => inputs.map((input) => judge(id, input)),
  };
}

function verdictOf(
  { flagged = [], scores = {} }: ParsedModerationRule['reply'],
  input: ModerationInput,
): ModerationVerdict {
  const appliedTo = [...new Set(input.map(({ type }) => type))];
  const judge = (category: ModerationCategory): CategoryVerdict => {
    const isNamed = flagged.includes(category);
    const score = scores[category] ?? (isNamed ? 0.9 : 0);
    return { score, flagged: isNamed || score >= 0.5, appliedTo };
  };
  return Object.fromEntries(moderationCategories.map((category) => [category, judge(category)]));
}

/** A video engine that follows rules. Without rules, each video has a few bytes and completes immediately. */
export function scriptedVideo(init: ScriptedEngineInit<ParsedVideoRule> & { readonly faults: FaultPlan }): VideoEngine {
  const { rules: ruleSet, faults, created, onUnmatched } = init;
  const model = (id: string): VideoModel => ({
    id,
    created,
    owned_by: 'modelwire-testing',
    sizes: ['720x1280', '1280x720', '1024x1792', '1792x1024'],
    seconds: ['4', '8', '12'],
    inputReference: true,
    remix: true,
    extend: true,
    videoInput: true,
  });
  const listedModels = [model('sora-2')];
  return {
    name: 'scripted-video',
    concurrency: 64,
    models: () => listedModels,
    resolveModel: model,
    async render({ model: id, prompt, source }, { progress, save, signal }) {
      const planned = faults.takeInternal('video-failure');
      if (planned) throw new VideoError(planned.code, planned.message);
      const matched = ruleSet.take(({ when }) => {
        if (when?.remix !== undefined && when.remix !== (source !== undefined)) return undefined;
        return matchesPatterns(id, prompt, { model: when?.model, text: when?.prompt });
      });
      if (!matched && ruleSet.rules().length > 0) {
        const description = `model ${quoted(id)}, prompt ${quoted(prompt)}${source ? ', a remix' : ''}`;
        const error = unmatchedError('video', description, ruleSet, ({ when }) =>
          describePatterns({ model: when?.model, prompt: when?.prompt }),
        );
        onUnmatched(error);
        throw new VideoError('no_scripted_reply', error.message);
      }
      const { file, bytes, progress: steps = [], pace = 0, failure } = matched?.rule.reply ?? {};
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

interface Patterns {
  readonly [part: string]: string | RegExp | undefined;
  readonly model: string | RegExp | undefined;
}

function matchesPatterns(model: string, text: string, patterns: Patterns): true | undefined {
  if (patterns.model !== undefined && !matchesName(model, patterns.model)) return undefined;
  return patterns['text'] === undefined || matchPattern(text, patterns['text']) ? true : undefined;
}

function describePatterns(patterns: Patterns): string {
  const parts = Object.entries(patterns).flatMap(([part, pattern]) =>
    pattern === undefined ? [] : [`${part} ${showPattern(pattern)}`],
  );
  return parts.length === 0 ? 'any' : parts.join(', ');
}
