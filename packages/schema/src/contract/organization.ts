import {
  projectApiKeyCreateParamsSchema,
  projectApiKeyDeletedSchema,
  projectApiKeyListQuerySchema,
  projectApiKeyListSchema,
  projectApiKeyRotateParamsSchema,
  projectApiKeySchema,
  projectApiKeyUpdateParamsSchema,
  projectApiKeyWithValueSchema,
} from '../organization/api-key.ts';
import { auditLogListSchema, auditLogQuerySchema } from '../organization/audit-log.ts';
import {
  budgetCreateParamsSchema,
  budgetDeletedSchema,
  budgetListQuerySchema,
  budgetListSchema,
  budgetSchema,
  budgetUpdateParamsSchema,
} from '../organization/budget.ts';
import { costsPageSchema, costsQuerySchema } from '../organization/costs.ts';
import {
  projectCreateParamsSchema,
  projectListQuerySchema,
  projectListSchema,
  projectSchema,
  projectUpdateParamsSchema,
} from '../organization/project.ts';
import * as routes from '../routes.ts';
import { objectNotFound, endpoint, json, rotationInProgress, invalidState } from './endpoint.ts';
import type { EndpointError } from './endpoint.ts';

const section = 'companion';
const needs = 'Needs a key with the role `admin`.';
const projectNotFound = objectNotFound('project');
const keyNotFound = objectNotFound('project or key');
const budgetNotFound = objectNotFound('budget');
const archived = invalidState('The project is archived.');
const alreadyExists: EndpointError = {
  status: 409,
  codes: ['already_exists'],
  when: 'A project has this `id` already.',
};

/** Administration of projects, keys and budgets. */
export const organizationEndpoints = {
  'organization.projects.list': endpoint('organization.projects.list', {
    route: routes.listProjects,
    summary: `List projects, in the order of their ids. ${needs}`,
    section,
    query: projectListQuerySchema,
    response: projectListSchema,
  }),
  'organization.projects.create': endpoint('organization.projects.create', {
    route: routes.createProject,
    summary: `Create a project. ${needs}`,
    section,
    request: [
      json(projectCreateParamsSchema, {
        'A project': { name: 'Shop' },
        'With limits': { name: 'Shop', id: 'shop', tokens_per_minute: 100_000, allowed_models: ['simulator'] },
      }),
    ],
    response: projectSchema,
    errors: [alreadyExists],
  }),
  'organization.projects.retrieve': endpoint('organization.projects.retrieve', {
    route: routes.retrieveProject,
    summary: `Retrieve a project, with the storage that it uses. ${needs}`,
    section,
    response: projectSchema,
    errors: [projectNotFound],
  }),
  'organization.projects.update': endpoint('organization.projects.update', {
    route: routes.updateProject,
    summary: `Change the name or the limits of a project. ${needs}`,
    section,
    request: [json(projectUpdateParamsSchema, { 'A limit': { max_output_tokens: 4096 } })],
    response: projectSchema,
    errors: [projectNotFound, archived],
  }),
  'organization.projects.archive': endpoint('organization.projects.archive', {
    route: routes.archiveProject,
    summary: `Archive a project: its keys are refused from then on. ${needs}`,
    section,
    response: projectSchema,
    errors: [projectNotFound, archived],
  }),
  'organization.projects.api_keys.list': endpoint('organization.projects.api_keys.list', {
    route: routes.listProjectApiKeys,
    summary: `List the keys of a project, without their secrets. ${needs}`,
    section,
    query: projectApiKeyListQuerySchema,
    response: projectApiKeyListSchema,
    errors: [projectNotFound],
  }),
  'organization.projects.api_keys.create': endpoint('organization.projects.api_keys.create', {
    route: routes.createProjectApiKey,
    summary: `Create a key. The response contains its secret, which cannot be retrieved later. ${needs}`,
    section,
    request: [
      json(projectApiKeyCreateParamsSchema, { 'A key for inference': { name: 'checkout', role: 'inference_only' } }),
    ],
    response: projectApiKeyWithValueSchema,
    errors: [projectNotFound, archived],
  }),
  'organization.projects.api_keys.retrieve': endpoint('organization.projects.api_keys.retrieve', {
    route: routes.retrieveProjectApiKey,
    summary: `Retrieve a key, without its secret. ${needs}`,
    section,
    response: projectApiKeySchema,
    errors: [keyNotFound],
  }),
  'organization.projects.api_keys.update': endpoint('organization.projects.api_keys.update', {
    route: routes.updateProjectApiKey,
    summary: `Change the name, the role, the expiry or the limits of a key. ${needs}`,
    section,
    request: [json(projectApiKeyUpdateParamsSchema, { 'A new name': { name: 'checkout' } })],
    response: projectApiKeySchema,
    errors: [keyNotFound, invalidState('The key is revoked.')],
  }),
  'organization.projects.api_keys.rotate': endpoint('organization.projects.api_keys.rotate', {
    route: routes.rotateProjectApiKey,
    summary: `Give a key a new secret. Its id, limits and budgets stay the same. ${needs}`,
    section,
    request: [json(projectApiKeyRotateParamsSchema, { 'With a grace period of an hour': { grace_seconds: 3600 } })],
    response: projectApiKeyWithValueSchema,
    errors: [keyNotFound, invalidState('The key is revoked.'), rotationInProgress],
  }),
  'organization.projects.api_keys.delete': endpoint('organization.projects.api_keys.delete', {
    route: routes.deleteProjectApiKey,
    summary: `Revoke a key. It stays in lists, with \`revoked_at\`. ${needs}`,
    section,
    response: projectApiKeyDeletedSchema,
    errors: [keyNotFound],
  }),
  'organization.budgets.list': endpoint('organization.budgets.list', {
    route: routes.listBudgets,
    summary: `List budgets with what was spent. ${needs}`,
    section,
    query: budgetListQuerySchema,
    response: budgetListSchema,
  }),
  'organization.budgets.create': endpoint('organization.budgets.create', {
    route: routes.createBudget,
    summary: `Create a budget of a key or a project. ${needs}`,
    section,
    request: [
      json(budgetCreateParamsSchema, {
        'A million tokens a month': { project_id: 'default', unit: 'tokens', period: 'month', hard_limit: 1_000_000 },
      }),
    ],
    response: budgetSchema,
    errors: [objectNotFound('project or key')],
  }),
  'organization.budgets.retrieve': endpoint('organization.budgets.retrieve', {
    route: routes.retrieveBudget,
    summary: `Retrieve a budget with what was spent. ${needs}`,
    section,
    response: budgetSchema,
    errors: [budgetNotFound],
  }),
  'organization.budgets.update': endpoint('organization.budgets.update', {
    route: routes.updateBudget,
    summary: `Change the limits of a budget, or override its hard limit until the period ends. ${needs}`,
    section,
    request: [json(budgetUpdateParamsSchema, { 'More for this period': { override_limit: 2_000_000 } })],
    response: budgetSchema,
    errors: [budgetNotFound],
  }),
  'organization.budgets.reset': endpoint('organization.budgets.reset', {
    route: routes.resetBudget,
    summary: `Set what was spent in the current period to 0. ${needs}`,
    section,
    response: budgetSchema,
    errors: [budgetNotFound],
  }),
  'organization.budgets.delete': endpoint('organization.budgets.delete', {
    route: routes.deleteBudget,
    summary: `Delete a budget. ${needs}`,
    section,
    response: budgetDeletedSchema,
    errors: [budgetNotFound],
  }),
  'organization.audit_logs.list': endpoint('organization.audit_logs.list', {
    route: routes.listAuditLogs,
    summary: `List administrative actions, newest first. ${needs}`,
    section,
    query: auditLogQuerySchema,
    response: auditLogListSchema,
  }),
  'organization.costs': endpoint('organization.costs', {
    route: routes.retrieveCosts,
    summary: `Report costs by day, by the price table of the server. ${needs}`,
    section,
    query: costsQuerySchema,
    response: costsPageSchema,
  }),
};
