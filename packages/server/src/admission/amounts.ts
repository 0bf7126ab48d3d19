import { addCounts } from '@modelwire/adapter-kit/internal';
import type { BudgetAmount } from '@modelwire/ports';
import { RequestError } from '../errors.ts';
import type { Policy } from '../limits/policies.ts';
import type { Prices } from '../limits/prices.ts';
import type { Demand } from './work.ts';

/**
 * The amounts that work reserves from budgets. Work without tokens is admitted while all budgets have enough left, and at least one token
 * or one millionth of the currency.
 *
 * @throws a 403 for a model without a price if the cost is limited.
 */
export function budgetAmounts(
  demand: Demand,
  model: string,
  { budgetUnits }: Pick<Policy, 'budgetUnits'>,
  prices: Prices,
): { readonly max: BudgetAmount; readonly minToAdmit: BudgetAmount } {
  const limitsCost = budgetUnits.has('cost');
  const priced = (cost: number | undefined): number => (limitsCost ? (cost ?? missingPrice(model)) : 0);
  if (demand.kind === 'cost') {
    const amount = { tokens: 1, cost: Math.max(1, priced(demand.cost)) };
    return { max: amount, minToAdmit: amount };
  }
  const { prompt, maxOutput, outputToAdmit } = demand.estimate();
  const amountWith = (output: number): BudgetAmount => ({
    tokens: addCounts(prompt, output),
    cost: limitsCost ? priced(maximumCost(prices, model, prompt, output)) : 0,
  });
  return { max: amountWith(maxOutput), minToAdmit: amountWith(outputToAdmit) };
}

/** The maximum cost of these tokens: none are cached, and all are reasoning tokens if those cost more. */
function maximumCost(prices: Prices, model: string, prompt: number, output: number): number | undefined {
  const usage = { prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output };
  const withoutReasoning = prices.costOf(model, usage);
  const withReasoning = prices.costOf(model, { ...usage, completion_tokens_details: { reasoning_tokens: output } });
  return withoutReasoning === undefined || withReasoning === undefined
    ? undefined
    : Math.max(withoutReasoning, withReasoning);
}

function missingPrice(model: string): never {
  throw new RequestError(
    `The model '${model}' has no price, and the budget of this key or its project limits costs. Add the model to \`prices\` in the configuration of the server.`,
    { status: 403, code: 'model_without_price', param: 'model' },
  );
}
