import type { ChatModel } from '@modelwire/ports';
import type { MessageCountTokensParams, ReasoningEffort } from '@modelwire/schema/types';

const efforts: readonly ReasoningEffort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** Up to how many tokens of reasoning each effort means. */
const budgets: readonly (readonly [number, ReasoningEffort])[] = [
  [4096, 'low'],
  [16_384, 'medium'],
];

/** The effort of a request, as far as the model has efforts: otherwise it is without effect, as it is a hint. */
export function effortOf(
  { thinking, output_config: output }: Pick<MessageCountTokensParams, 'thinking' | 'output_config'>,
  { capabilities }: ChatModel,
): ReasoningEffort | undefined {
  if (capabilities.parameters.reasoning_effort === 'refused') return undefined;
  if (!capabilities.efforts) return output?.effort;
  const wanted = thinking?.type === 'disabled' ? 'none' : (output?.effort ?? effortOfThinking(thinking));
  return wanted && nearestEffort(wanted, capabilities.efforts.values);
}

function effortOfThinking(thinking: MessageCountTokensParams['thinking']): ReasoningEffort | undefined {
  if (thinking?.type !== 'enabled') return undefined;
  const { budget_tokens: budget } = thinking;
  return budgets.find(([limit]) => budget <= limit)?.[1] ?? 'high';
}

/** Of two efforts that are equally near, the lower one. */
function nearestEffort(wanted: ReasoningEffort, values: readonly ReasoningEffort[]): ReasoningEffort | undefined {
  const distance = (effort: ReasoningEffort): number => Math.abs(efforts.indexOf(effort) - efforts.indexOf(wanted));
  return efforts.filter((effort) => values.includes(effort)).toSorted((a, b) => distance(a) - distance(b))[0];
}
