import type { Open } from './open.ts';

export type ModerationCategory =
  | 'sexual'
  | 'hate'
  | 'harassment'
  | 'self-harm'
  | 'sexual/minors'
  | 'hate/threatening'
  | 'violence/graphic'
  | 'self-harm/intent'
  | 'self-harm/instructions'
  | 'harassment/threatening'
  | 'violence'
  | 'illicit'
  | 'illicit/violent';

/** Categories that the older text-only response leaves out. */
export type NewerModerationCategory = 'illicit' | 'illicit/violent';
type OlderModerationCategory = Exclude<ModerationCategory, NewerModerationCategory>;

/** One value for each category. */
export type ModerationByCategory<T> = Record<OlderModerationCategory, T> & Partial<Record<NewerModerationCategory, T>>;

export type ModerationModel = Open<'omni-moderation-latest' | 'omni-moderation-2024-09-26'>;
export type ModerationInputType = 'text' | 'image';

export interface ModerationTextInput {
  readonly type: 'text';
  readonly text: string;
}

export interface ModerationImageInput {
  readonly type: 'image_url';
  /** An http(s) URL or a base64 data URL. */
  readonly image_url: { readonly url: string };
}

export type ModerationMultiModalInput = ModerationTextInput | ModerationImageInput;

/** Body of Create moderation. */
export interface ModerationCreateParams {
  readonly input: string | readonly string[] | readonly ModerationMultiModalInput[];
  /** `omni-moderation-latest` unless said. */
  readonly model?: ModerationModel;
}

export interface ModerationResult {
  flagged: boolean;
  categories: ModerationByCategory<boolean>;
  category_scores: ModerationByCategory<number>;
  /** The input types that each category applies to; absent in the older response. */
  category_applied_input_types?: ModerationByCategory<Open<ModerationInputType>[]>;
}

export interface Moderation {
  id: string;
  model: string;
  results: ModerationResult[];
}
