import type { BudgetUnit } from '@modelwire/ports';
import { expect, test } from 'vitest';
import type { Policy } from '../../limits/policies.ts';
import { isListedModel, needsCertainModel } from './certain-model.ts';

const policy = (allowedModels: readonly string[], ...units: readonly BudgetUnit[]): Policy => ({
  accessEndedBy: undefined,
  allowedModels: allowedModels.length > 0 ? [new Set(allowedModels)] : [],
  maxOutputTokens: undefined,
  storageLimitBytes: undefined,
  budgetSubjects: [],
  budgetUnits: new Set(units),
});

test('the model has to be certain for a key with allowed models or a budget of costs, and for no other', () => {
  expect(needsCertainModel(policy(['m']))).toBe(true);
  expect(needsCertainModel(policy([], 'cost'))).toBe(true);
  expect(needsCertainModel(policy([], 'tokens'))).toBe(false);
  expect(needsCertainModel(policy([]))).toBe(false);
});

test('a name counts as that of a model while the models of the upstreams are unknown', () => {
  const find = (model: string) => (model === 'm' ? { upstream: 'box', model } : undefined);
  const upstreams = (isKnown: boolean) => ({
    find: (_path: string, model = '') => {
      if (!isKnown) throw new Error('unknown');
      return find(model);
    },
  });
  expect(isListedModel(upstreams(true), '/x', 'm')).toBe(true);
  expect(isListedModel(upstreams(true), '/x', 'n')).toBe(false);
  expect(isListedModel(upstreams(false), '/x', 'n')).toBe(true);
});
