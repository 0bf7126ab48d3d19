import type { ModerationInput } from '@modelwire/ports';
import type { ModerationCategory, TokenLogprob } from '@modelwire/schema/types';
import type { ReadVerdict } from './answer.ts';
import { categories } from './categories.ts';
import type { Inquiry, ReceivedReply, Subject } from './inquiry.ts';
import type { Content, Preset, PresetQuestion } from './presets.ts';
import { chatQuestion, imagePart } from './question.ts';

/** The questions to a guard model about an input. Only the categories that the model judges get a score. */
export function guardInquiries(preset: Preset, { model, input, maxTokens }: Subject): readonly Inquiry[] {
  const { logprobs, top_logprobs } = model.capabilities.parameters;
  const canScore = logprobs === 'native' && top_logprobs === 'native';
  const content = contentOf(input);
  return preset.questions.map((question) => ({
    ask({ isPlain, problem }) {
      const messages = question.messages?.(content) ?? [{ role: 'user', content }];
      const prompt = question.prompt?.(textOf(input));
      const asked = {
        ...chatQuestion(model, messages, { problem, maxTokens }),
        ...(prompt !== undefined && { prompt }),
      };
      if (isPlain || !canScore) return { ...asked, isPlain: true };
      const scored = { logprobs: true, top_logprobs: 5 };
      return {
        ...asked,
        requestBody: { ...asked.requestBody, ...scored },
        request: { ...asked.request, ...scored },
        isPlain: false,
      };
    },
    read: (reply) => readGuardReply(reply, preset, question),
    advice: 'Check that the preset is the one for this model.',
  }));
}

/** The categories that the hazards of a guard model cover. */
export function judgedCategories({ questions }: Preset): readonly ModerationCategory[] {
  const covered = new Set(questions.flatMap(({ hazards }) => Object.values(hazards).flat()));
  return categories.filter((category) => covered.has(category));
}

function textOf(input: ModerationInput): string {
  return input.flatMap((part) => (part.type === 'text' ? [separateMarkers(part.text)] : [])).join('\n');
}

function contentOf(input: ModerationInput): Content {
  const text = textOf(input);
  const images = input.filter((part) => part.type === 'image');
  if (images.length === 0) return text;
  return [...(text === '' ? [] : [{ type: 'text', text } as const]), ...images.map(imagePart)];
}

/** Adds a space to everything that looks like a marker of a chat template or of a prompt, because some servers interpret these anywhere. */
function separateMarkers(text: string): string {
  return text.replace(/<(?=[|/a-z])|\[(?=\/?INST)/gi, '$& ');
}

/** Reads the verdict of a guard model: the deciding word, and the hazards that it names. */
function readGuardReply({ text, tokens }: ReceivedReply, preset: Preset, { hazards }: PresetQuestion): ReadVerdict {
  const word = preset.decision.exec(text)?.[1]?.toLowerCase();
  const decided = word === undefined ? undefined : preset.labels[word];
  if (decided === undefined) return { problem: 'it does not have the format of the model' };
  // A score below 0.5 would contradict a verdict that is not safe.
  const score = Math.max(scoreOf(tokens, preset) ?? decided, Math.min(decided, 0.5));
  const names: readonly string[] = preset.named ? (text.match(preset.named) ?? []) : Object.keys(hazards);
  if (decided > 0 && names.length === 0) return { problem: 'it names no hazard' };
  const scores: Partial<Record<ModerationCategory, number>> = {};
  for (const [hazard, meant] of Object.entries(hazards)) {
    // Without a hazard, no category is more likely than all of them together.
    const isMeant = decided === 0 || names.includes(hazard);
    for (const name of meant) scores[name] = Math.max(scores[name] ?? 0, isMeant ? score : 0);
  }
  return { scores };
}

/** The expected score of the deciding token by the probabilities of its alternatives; undefined without log probabilities. */
function scoreOf(tokens: readonly TokenLogprob[], { decision, labels }: Preset): number | undefined {
  const found = decision.exec(tokens.map(({ token }) => token).join(''));
  if (!found?.[1]) return undefined;
  const start = found.index + found[0].lastIndexOf(found[1]);
  let end = 0;
  const deciding = tokens.find(({ token }) => (end += token.length) > start);
  let total = 0;
  let expected = 0;
  for (const { token, logprob } of deciding?.top_logprobs ?? []) {
    const score = labelOf(token, labels);
    if (score === undefined) continue;
    total += Math.exp(logprob);
    expected += score * Math.exp(logprob);
  }
  return total > 0 ? expected / total : undefined;
}

/** The score of the only label that starts with the token. */
function labelOf(token: string, labels: Preset['labels']): number | undefined {
  const start = token.trim().toLowerCase();
  const matching = start === '' ? [] : Object.entries(labels).filter(([label]) => label.startsWith(start));
  return matching.length === 1 ? matching[0]?.[1] : undefined;
}
