import type { WebhookRecord } from '@modelwire/ports';

/** A webhook for the events of all projects. */
export function webhookRecord(id: string, url: string): WebhookRecord {
  return {
    id,
    name: '',
    url,
    project: null,
    events: null,
    isEnabled: true,
    secret: 'whsec_c2VjcmV0',
    previousSecret: null,
    previousValidUntil: null,
    created: 1,
  };
}
