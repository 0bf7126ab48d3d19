import { estimateTextTokens } from '../../admission/prompt-tokens.ts';

/** Names of members of events that contain what a model generated: text, reasoning, transcripts, and arguments of tools. */
const textNames: ReadonlySet<string> = new Set([
  ...['text', 'content', 'delta', 'refusal', 'transcript', 'partial_json', 'arguments'],
  ...['thinking', 'reasoning', 'reasoning_content'],
]);
/** Events that repeat the text of earlier ones. */
const repeatsText = /\.(?:done|completed|incomplete|failed|created|in_progress)$/;
const maxDepth = 8;

/** Estimates the tokens that a model generated in a server-sent event; 0 for an event without text. */
export function estimateGeneratedTokens(event: Readonly<Record<string, unknown>>): number {
  const { type } = event;
  return typeof type === 'string' && repeatsText.test(type) ? 0 : tokensIn(event, 0);
}

function tokensIn(value: unknown, depth: number): number {
  if (depth > maxDepth || typeof value !== 'object' || value === null) return 0;
  let tokens = 0;
  for (const [name, member] of Object.entries(value) as readonly (readonly [string, unknown])[]) {
    if (typeof member !== 'string') tokens += tokensIn(member, depth + 1);
    else if (textNames.has(name)) tokens += estimateTextTokens(member);
  }
  return tokens;
}
