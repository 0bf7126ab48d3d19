import type {
  AuditLog,
  Budget,
  CostsPage,
  CostsResult,
  LoggedRequest,
  Project,
  ProjectApiKey,
  Webhook,
  WebhookDelivery,
} from '@modelwire/schema/types';
import { deletedFactory, factory, pageFactory } from './factory.ts';
import type { Random } from './random.ts';

const noLimits = {
  requests_per_minute: null,
  tokens_per_minute: null,
  allowed_models: null,
  max_output_tokens: null,
};

/** Factories of projects, their keys and budgets, webhooks, the audit log, the request log and costs. */
export function organizationFactories(random: Random) {
  const project = factory<Project>(() => ({
    id: random.id('proj_'),
    object: 'organization.project',
    name: 'Shop',
    status: 'active',
    created_at: random.time(),
    archived_at: null,
    storage_limit_bytes: null,
    ...noLimits,
  }));
  const apiKey = (): ProjectApiKey => ({
    id: random.id('key_'),
    object: 'organization.project.api_key',
    name: 'checkout',
    redacted_value: 'mw-Ab12…',
    project_id: random.id('proj_'),
    role: 'full',
    created_at: random.time(),
    last_used_at: null,
    expires_at: null,
    revoked_at: null,
    ...noLimits,
  });
  const projectApiKey = factory(apiKey);
  const budget = factory<Budget>(() => ({
    id: random.id('budget_'),
    object: 'organization.budget',
    project_id: random.id('proj_'),
    api_key_id: null,
    unit: 'tokens',
    period: 'month',
    soft_limit: null,
    hard_limit: 1_000_000,
    override_limit: null,
    spent: random.int(0, 1000),
    reserved: 0,
    period_start: random.time(),
    resets_at: random.time(),
    created_at: random.time(),
  }));
  const auditLog = factory<AuditLog>(() => ({
    id: random.id('audit_log-'),
    object: 'organization.audit_log',
    type: 'api_key.created',
    effective_at: random.time(),
    actor: { type: 'api_key', api_key: { id: random.id('key_') }, session: null },
    project: { id: random.id('proj_') },
    resource_id: random.id('key_'),
    changes: {},
  }));
  const costsResult = factory<CostsResult>(() => ({
    object: 'organization.costs.result',
    amount: { value: 0.06, currency: 'usd' },
  }));
  const webhookOf = (): Webhook => ({
    id: random.id('webhook_'),
    object: 'organization.webhook',
    name: 'Alerts',
    url: 'https://hooks.example.com/modelwire',
    project_id: null,
    event_types: null,
    enabled: true,
    created_at: random.time(),
  });
  const webhook = factory(webhookOf);
  const webhookDelivery = factory<WebhookDelivery>(() => ({
    id: random.id('evt_'),
    object: 'organization.webhook.delivery',
    webhook_id: random.id('webhook_'),
    event_id: random.id('evt_'),
    event_type: 'batch.completed',
    status: 'pending',
    attempts: [],
    next_attempt_at: random.time(),
    created_at: random.time(),
    payload: {},
  }));
  const loggedRequest = factory<LoggedRequest>(() => ({
    id: random.id('req_'),
    object: 'organization.request_log',
    created_at: random.time(),
    project_id: random.id('proj_'),
    api_key_id: random.id('key_'),
    endpoint: '/v1/chat/completions',
    model: 'simulator',
    outcome: 'succeeded',
    status: 200,
    error_code: null,
    stream: false,
    duration_ms: 350,
    first_token_ms: 40,
    usage: { input_tokens: 12, output_tokens: 30, input_cached_tokens: 0 },
    cost: null,
    response_id: null,
    batch_id: null,
  }));
  return {
    project,
    projectList: pageFactory(project),
    projectApiKey,
    projectApiKeyWithValue: factory(() => ({ ...apiKey(), value: random.id('mw-') })),
    projectApiKeyList: pageFactory(projectApiKey),
    projectApiKeyDeleted: deletedFactory(random, 'key_', 'organization.project.api_key.deleted'),
    budget,
    budgetList: pageFactory(budget),
    budgetDeleted: deletedFactory(random, 'budget_', 'organization.budget.deleted'),
    webhook,
    webhookWithSecret: factory(() => ({ ...webhookOf(), secret: random.id('whsec_') })),
    webhookList: pageFactory(webhook),
    webhookDeleted: deletedFactory(random, 'webhook_', 'organization.webhook.deleted'),
    webhookDelivery,
    webhookDeliveryList: pageFactory(webhookDelivery),
    auditLog,
    auditLogList: pageFactory(auditLog),
    loggedRequest,
    loggedRequestList: pageFactory(loggedRequest),
    costsResult,
    costsPage: factory<CostsPage>(() => ({
      object: 'page',
      data: [{ object: 'bucket', start_time: random.time(), end_time: random.time(), results: [costsResult()] }],
      has_more: false,
      next_page: null,
    })),
  };
}
