import type { Budget, BudgetCreateParams, BudgetDeleted, BudgetUpdateParams } from '@modelwire/schema/types';
import { BudgetLimitsError } from '@modelwire/ports';
import type { BudgetRecord, BudgetState, BudgetSubject } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { invalid, notFound } from '../../errors.ts';
import { listOf } from '../../http/list.ts';
import { nowInSeconds } from '../../clock.ts';
import { storesOf } from '../../media/files/storage.ts';
import { auditEntry } from './audit.ts';
import type { HandlersOf } from '../../http/implement.ts';
import { objectInPath } from '../../http/object-in-path.ts';

/** Each further attempt needs another concurrent change of the limits. */
const maxUpdateAttempts = 10;

const inPath = objectInPath('budget', 'budget_id');

export const budgets: HandlersOf<'organization.budgets'> = {
  /** All of them, as a list of one page. */
  async 'organization.budgets.list'({ query }, server) {
    const { project_ids: projects, api_key_ids: keys } = query;
    const subjects: readonly BudgetSubject[] = [
      ...(projects ?? []).map((id) => ({ kind: 'project', id }) as const),
      ...(keys ?? []).map((id) => ({ kind: 'key', id }) as const),
    ];
    const states = await storesOf(server).budgets.list(projects || keys ? subjects : undefined);
    return { status: 200, body: listOf({ items: states.map(wireBudget), hasMore: false }) };
  },

  async 'organization.budgets.create'(call, server) {
    const { body } = call;
    const { subject, project } = await findSubject(body, server);
    const { soft_limit: softLimit = null, hard_limit: hardLimit = null } = body;
    if (softLimit === null && hardLimit === null) {
      throw invalid('hard_limit', "Set 'soft_limit', 'hard_limit' or both.", 'missing_required_parameter');
    }
    assertLimitsInOrder(body, { softLimit, hardLimit });
    if (body.unit === 'cost' && !server.options.prices) {
      throw invalid(
        'unit',
        "Invalid value for 'unit': this server has no price table. Set `prices` in its configuration.",
      );
    }
    const budget: BudgetRecord = {
      id: server.createId('budget_'),
      subject,
      unit: body.unit,
      period: body.period,
      softLimit,
      hardLimit,
      created: nowInSeconds(server.clock),
    };
    const { budgets } = storesOf(server);
    await budgets.add(
      budget,
      auditEntry(call, server, { type: 'budget.created', project, resource: budget.id, changes: body }),
    );
    const created = await budgets.get(budget.id);
    if (!created) throw notFound('budget', budget.id, 'budget_id');
    return { status: 200, body: wireBudget(created) };
  },

  async 'organization.budgets.retrieve'(call, server) {
    return { status: 200, body: wireBudget(await findBudget(call, server)) };
  },

  async 'organization.budgets.update'(call, server) {
    const { soft_limit: softLimit, hard_limit: hardLimit, override_limit: overrideLimit } = call.body;
    for (let attempt = 1; ; attempt++) {
      const budget = await findBudget(call, server);
      assertLimitsInOrder(call.body, {
        softLimit: softLimit === undefined ? budget.softLimit : softLimit,
        hardLimit: hardLimit === undefined ? budget.hardLimit : hardLimit,
      });
      const entry = await budgetAuditEntry(call, server, budget, 'budget.updated');
      try {
        const updated = await storesOf(server).budgets.update(
          budget.id,
          { softLimit, hardLimit, overrideLimit },
          entry,
        );
        return { status: 200, body: wireBudget(updated ?? inPath.throwNotFound(call)) };
      } catch (error) {
        // The other limit was changed since it was read: the next check names its new value.
        if (!(error instanceof BudgetLimitsError) || attempt === maxUpdateAttempts) throw error;
      }
    }
  },

  async 'organization.budgets.reset'(call, server) {
    const budget = await findBudget(call, server);
    const reset = await storesOf(server).budgets.reset(
      budget.id,
      await budgetAuditEntry(call, server, budget, 'budget.reset'),
    );
    return { status: 200, body: wireBudget(reset ?? inPath.throwNotFound(call)) };
  },

  async 'organization.budgets.delete'(call, server) {
    const budget = await findBudget(call, server);
    const { id } = budget;
    if (!(await storesOf(server).budgets.delete(id, await budgetAuditEntry(call, server, budget, 'budget.deleted'))))
      inPath.throwNotFound(call);
    const body: BudgetDeleted = { id, object: 'organization.budget.deleted', deleted: true };
    return { status: 200, body };
  },
};

/**
 * The soft limit warns before the hard limit refuses. A request that sets neither is not checked.
 *
 * @throws a 400 that names the limit that the request sets.
 */
function assertLimitsInOrder(
  body: BudgetUpdateParams,
  { softLimit, hardLimit }: Pick<BudgetRecord, 'softLimit' | 'hardLimit'>,
): void {
  if (softLimit === null || hardLimit === null || softLimit <= hardLimit) return;
  if (typeof body.soft_limit === 'number') {
    throw invalid(
      'soft_limit',
      `Invalid value for 'soft_limit': ${softLimit} is above 'hard_limit', which is ${hardLimit}. Set it to ${hardLimit} or less.`,
    );
  }
  if (typeof body.hard_limit === 'number') {
    throw invalid(
      'hard_limit',
      `Invalid value for 'hard_limit': ${hardLimit} is below 'soft_limit', which is ${softLimit}. Set it to ${softLimit} or more.`,
    );
  }
}

async function budgetAuditEntry(
  call: Call<BudgetUpdateParams | undefined>,
  server: ServerContext,
  { id, subject }: BudgetState,
  type: 'budget.updated' | 'budget.reset' | 'budget.deleted',
) {
  const project = subject.kind === 'project' ? subject.id : (await storesOf(server).keys.get(subject.id))?.project;
  return auditEntry(call, server, {
    type,
    project: project ?? null,
    resource: id,
    ...(call.body && { changes: call.body }),
  });
}

/** @throws a 400 unless exactly one subject is named, a 404 when it is not there. */
async function findSubject(
  { project_id: projectId, api_key_id: keyId }: BudgetCreateParams,
  server: ServerContext,
): Promise<{ readonly subject: BudgetSubject; readonly project: string }> {
  const { keys } = storesOf(server);
  if (projectId !== undefined && keyId === undefined) {
    if (!(await keys.getProject(projectId))) throw notFound('project', projectId, 'project_id');
    return { subject: { kind: 'project', id: projectId }, project: projectId };
  }
  if (keyId !== undefined && projectId === undefined) {
    const key = await keys.get(keyId);
    if (!key) throw notFound('API key', keyId, 'api_key_id');
    return { subject: { kind: 'key', id: keyId }, project: key.project };
  }
  throw invalid('project_id', "Set exactly one of 'project_id' and 'api_key_id'.");
}

async function findBudget(call: Pick<Call, 'params'>, server: ServerContext): Promise<BudgetState> {
  return (await storesOf(server).budgets.get(inPath.id(call))) ?? inPath.throwNotFound(call);
}

function wireBudget(state: BudgetState): Budget {
  const { kind, id } = state.subject;
  return {
    id: state.id,
    object: 'organization.budget',
    project_id: kind === 'project' ? id : null,
    api_key_id: kind === 'key' ? id : null,
    unit: state.unit,
    period: state.period,
    soft_limit: state.softLimit,
    hard_limit: state.hardLimit,
    override_limit: state.overrideLimit,
    spent: state.spent,
    reserved: state.reserved,
    period_start: state.periodStart,
    resets_at: state.resetsAt,
    created_at: state.created,
  };
}
