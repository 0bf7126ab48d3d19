import * as z from 'zod';
import { deletionOf } from '../fields/deletion.ts';
import { constant, integer, openEnum, requestObject, responseObject, string, timestamp } from '../fields/field.ts';
import { FILTER_VALUES_MAX } from '../limits.ts';
import { listOf } from '../fields/paging.ts';

const units = ['tokens', 'cost'] as const;
const periods = ['day', 'month'] as const;
const unitNote = 'In tokens, or in millionths of the currency of the price table.';
const limit = (description: string) =>
  integer({ min: 0 }).nullable().optional().describe(`${description} ${unitNote} Null for none.`);
const softLimit = limit('Requests beyond it are served, with a header and a line in the log. At most `hard_limit`.');
const hardLimit = limit('Requests beyond it get a 429 with the code `insufficient_quota`.');

export const budgetSchema = responseObject(
  'Budget',
  'A limit of what a key or a project may spend in a day or a month.',
  {
    id: string('ID of the budget.', 'budget_abc123'),
    object: constant('organization.budget'),
    project_id: z.string().nullable().describe('The project that the budget applies to. Null for the budget of a key.'),
    api_key_id: z.string().nullable().describe('The key that the budget applies to. Null for the budget of a project.'),
    unit: openEnum(units, `What is limited: tokens, or their cost by the price table.`),
    period: openEnum(periods, 'How often the budget starts again, in UTC.'),
    soft_limit: z.int().nullable().describe(`Requests beyond it are served, with a header. ${unitNote}`),
    hard_limit: z.int().nullable().describe(`Requests beyond it are refused. ${unitNote}`),
    override_limit: z.int().nullable().describe('Replaces `hard_limit` until the current period ends. Null for none.'),
    spent: z.int().describe(`What was spent in the current period. ${unitNote}`),
    reserved: z.int().describe('What running requests have reserved.'),
    period_start: timestamp('Start of the current period.'),
    resets_at: timestamp('End of the current period.'),
    created_at: timestamp('When the budget was created.'),
  },
);

export const budgetListSchema = listOf('BudgetList', 'All budgets that match.', budgetSchema);

export const budgetListQuerySchema = z.strictObject({
  project_ids: z.array(z.string()).max(FILTER_VALUES_MAX).optional().describe('Only budgets of these projects.'),
  api_key_ids: z.array(z.string()).max(FILTER_VALUES_MAX).optional().describe('Only budgets of these keys.'),
});

export const budgetCreateParamsSchema = requestObject('BudgetCreateParams', 'A new budget.', {
  project_id: z.string().optional().describe('The project that the budget applies to.'),
  api_key_id: z.string().optional().describe('The key that the budget applies to. Exactly one of the two is set.'),
  unit: z.enum(units).describe('What is limited: tokens, or their cost by the price table.'),
  period: z.enum(periods).describe('How often the budget starts again, in UTC.'),
  soft_limit: softLimit,
  hard_limit: hardLimit,
});

export const budgetUpdateParamsSchema = requestObject(
  'BudgetUpdateParams',
  'What changes in a budget. What was spent stays as it is.',
  {
    soft_limit: softLimit,
    hard_limit: hardLimit,
    override_limit: limit('Replaces `hard_limit` until the current period ends.'),
  },
);

export const budgetDeletedSchema = deletionOf('budget', {
  id: 'budget_abc123',
  object: 'organization.budget.deleted',
}).meta({ id: 'BudgetDeleted', description: 'The deletion of a budget.' });
