import type { Webhook, WebhookDeleted, WebhookUpdateParams, WebhookWithSecret } from '@modelwire/schema/types';
import type { WebhookRecord } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { invalid, notFound, rotationInProgress } from '../../errors.ts';
import { listOf } from '../../http/list.ts';
import { nowInSeconds } from '../../clock.ts';
import { makeSigningSecret } from '../../webhooks/sign.ts';
import { storesOf } from '../../media/files/storage.ts';
import { auditEntry } from './audit.ts';
import { pageOf } from './limits.ts';
import type { HandlersOf } from '../../http/implement.ts';
import { objectInPath } from '../../http/object-in-path.ts';

const inPath = objectInPath('webhook', 'webhook_id');

export const webhooks: HandlersOf<'organization.webhooks'> = {
  async 'organization.webhooks.list'({ query }, server) {
    const webhooks = await storesOf(server).webhooks.list();
    return { status: 200, body: listOf(pageOf(webhooks.map(wireWebhook), query)) };
  },

  async 'organization.webhooks.create'(call, server) {
    const { body } = call;
    const { keys, webhooks } = storesOf(server);
    const project = body.project_id ?? null;
    if (project !== null && !(await keys.getProject(project))) throw notFound('project', project, 'project_id');
    assertEventsOfProject(body.event_types, project);
    const webhook: WebhookRecord = {
      id: server.createId('webhook_'),
      name: body.name ?? '',
      url: requireUrl(body.url, server),
      project,
      events: body.event_types ?? null,
      isEnabled: body.enabled ?? true,
      secret: makeSigningSecret(),
      previousSecret: null,
      previousValidUntil: null,
      created: nowInSeconds(server.clock),
    };
    await webhooks.add(
      webhook,
      auditEntry(call, server, { type: 'webhook.created', project, resource: webhook.id, changes: body }),
    );
    return { status: 200, body: withSecret(webhook) };
  },

  async 'organization.webhooks.retrieve'(call, server) {
    return { status: 200, body: wireWebhook(await findWebhook(call, server)) };
  },

  async 'organization.webhooks.update'(call, server) {
    const { body } = call;
    const { id, project } = await findWebhook(call, server);
    assertEventsOfProject(body.event_types, project);
    const changes = {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.url !== undefined && { url: requireUrl(body.url, server) }),
      ...(body.event_types !== undefined && { events: body.event_types }),
      ...(body.enabled !== undefined && { isEnabled: body.enabled }),
    };
    const entry = auditEntry(call, server, { type: 'webhook.updated', project, resource: id, changes: body });
    const updated = await storesOf(server).webhooks.update(id, changes, entry);
    return { status: 200, body: wireWebhook(updated ?? inPath.throwNotFound(call)) };
  },

  async 'organization.webhooks.rotate_secret'(call, server) {
    const { grace_seconds: grace = 0 } = call.body;
    const { id, project } = await findWebhook(call, server);
    const now = nowInSeconds(server.clock);
    const entry = auditEntry(call, server, { type: 'webhook.rotated', project, resource: id, changes: call.body });
    const rotated = await storesOf(server).webhooks.rotate(
      id,
      {
        secret: makeSigningSecret(),
        previousValidUntil: grace > 0 ? now + grace : null,
        ...(grace > 0 && { unlessPreviousValidAt: now }),
      },
      entry,
    );
    if (!rotated) {
      await findWebhook(call, server);
      throw rotationInProgress('webhook', id);
    }
    return { status: 200, body: withSecret(rotated) };
  },

  async 'organization.webhooks.delete'(call, server) {
    const { id, project } = await findWebhook(call, server);
    const entry = auditEntry(call, server, { type: 'webhook.deleted', project, resource: id });
    if (!(await storesOf(server).webhooks.delete(id, entry))) inPath.throwNotFound(call);
    const body: WebhookDeleted = { id, object: 'organization.webhook.deleted', deleted: true };
    return { status: 200, body };
  },
};

/** @throws a 404. */
export async function findWebhook(call: Pick<Call, 'params'>, server: ServerContext): Promise<WebhookRecord> {
  return (await storesOf(server).webhooks.get(inPath.id(call))) ?? inPath.throwNotFound(call);
}

/** @throws a 400 for a URL to which nothing is sent. */
function requireUrl(text: string, server: ServerContext): string {
  const url = URL.parse(text);
  if (!url) throw invalid('url', "Invalid value for 'url': it is not an absolute URL.");
  const refusal = server.options.webhooks?.sender.refusal(url);
  if (refusal !== undefined) throw invalid('url', `Invalid value for 'url': ${refusal}.`);
  return url.href;
}

/** @throws a 400 for events of the server in the webhook of a project, which does not receive them. */
function assertEventsOfProject(types: WebhookUpdateParams['event_types'], project: string | null): void {
  const index = project === null ? -1 : (types?.findIndex((type) => type.startsWith('upstream.')) ?? -1);
  if (index < 0) return;
  throw invalid(
    `event_types[${index}]`,
    `Invalid value for 'event_types[${index}]': '${types?.[index] ?? ''}' is an event of the server, and webhooks with a 'project_id' receive events of their project only. Create a webhook without 'project_id'.`,
  );
}

function wireWebhook({ id, name, url, project, events, isEnabled, created }: WebhookRecord): Webhook {
  return {
    id,
    object: 'organization.webhook',
    name,
    url,
    project_id: project,
    event_types: events && [...events],
    enabled: isEnabled,
    created_at: created,
  };
}

function withSecret(webhook: WebhookRecord): WebhookWithSecret {
  return { ...wireWebhook(webhook), secret: webhook.secret };
}
