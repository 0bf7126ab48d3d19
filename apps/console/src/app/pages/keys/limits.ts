/** Limits of a key or a project, as the API returns them. */
export interface Limits {
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: number | null;
  readonly allowed_models: readonly string[] | null;
  readonly max_output_tokens: number | null;
}

/** Limits as text of form fields. An empty field is no limit. */
export interface LimitFields {
  readonly requestsPerMinute: string;
  readonly tokensPerMinute: string;
  /** One model per line. */
  readonly allowedModels: string;
  readonly maxOutputTokens: string;
}

export const noLimits: LimitFields = {
  requestsPerMinute: '',
  tokensPerMinute: '',
  allowedModels: '',
  maxOutputTokens: '',
};

const toFieldText = (value: number | null): string => (value === null ? '' : String(value));
const numberOrNull = (text: string): number | null => (text === '' ? null : Number(text));

function parseModels(text: string): readonly string[] | null {
  const models = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return models.length === 0 ? null : models;
}

export function limitsToFields(limits: Limits): LimitFields {
  return {
    requestsPerMinute: toFieldText(limits.requests_per_minute),
    tokensPerMinute: toFieldText(limits.tokens_per_minute),
    allowedModels: limits.allowed_models?.join('\n') ?? '',
    maxOutputTokens: toFieldText(limits.max_output_tokens),
  };
}

export function fieldsToLimits(fields: LimitFields): Limits {
  return {
    requests_per_minute: numberOrNull(fields.requestsPerMinute),
    tokens_per_minute: numberOrNull(fields.tokensPerMinute),
    allowed_models: parseModels(fields.allowedModels),
    max_output_tokens: numberOrNull(fields.maxOutputTokens),
  };
}

/** The limits whose fields were edited. The others are not sent, so that they keep their value even if it changed since the form was opened. */
export function changedLimits(before: LimitFields, after: LimitFields): Partial<Limits> {
  const limits = fieldsToLimits(after);
  return {
    ...(before.requestsPerMinute !== after.requestsPerMinute && { requests_per_minute: limits.requests_per_minute }),
    ...(before.tokensPerMinute !== after.tokensPerMinute && { tokens_per_minute: limits.tokens_per_minute }),
    ...(before.allowedModels !== after.allowedModels && { allowed_models: limits.allowed_models }),
    ...(before.maxOutputTokens !== after.maxOutputTokens && { max_output_tokens: limits.max_output_tokens }),
  };
}

/** One line for a table, such as `60 requests/min, 2 models`. */
export function describeLimits(limits: Limits): string {
  const { requests_per_minute, tokens_per_minute, allowed_models, max_output_tokens } = limits;
  const parts = [
    requests_per_minute !== null && `${requests_per_minute.toLocaleString('en')} requests/min`,
    tokens_per_minute !== null && `${tokens_per_minute.toLocaleString('en')} tokens/min`,
    max_output_tokens !== null && `${max_output_tokens.toLocaleString('en')} output tokens`,
    allowed_models !== null && (allowed_models.length === 0 ? 'no models' : `models: ${allowed_models.join(', ')}`),
  ].filter((part) => part !== false);
  return parts.join(', ') || 'none';
}
