import type { Model } from '@modelwire/schema/types';

/** A model in the form of the Anthropic Messages API. */
export interface MessageModel {
  readonly type: 'model';
  readonly id: string;
  readonly display_name: string;
  readonly created_at: string;
  readonly lifecycle: 'active';
  readonly max_input_tokens: null;
  readonly max_tokens: null;
  readonly capabilities: null;
}

/** The models that serve messages. All are on one page. */
export interface MessageModelList {
  readonly data: readonly MessageModel[];
  readonly has_more: false;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

export function messageModelList(models: readonly Model[]): MessageModelList {
  const data = models.filter(({ kinds }) => kinds?.includes('chat') ?? true).map(messageModel);
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}

export function messageModel({ id, created }: Model): MessageModel {
  return {
    type: 'model',
    id,
    display_name: id,
    created_at: new Date(created * 1000).toISOString(),
    lifecycle: 'active',
    max_input_tokens: null,
    max_tokens: null,
    capabilities: null,
  };
}
