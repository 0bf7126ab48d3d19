import type { Open } from './open.ts';
import type { ModerationCreateParams, ModerationImageInput, ModerationTextInput } from './requests.ts';

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

export type ModerationInputType = 'text' | 'image';

export interface ModerationResult {
  flagged: boolean;
  categories: ModerationByCategory<boolean>;
  category_scores: ModerationByCategory<number>;
  /** The input types that each category applies to; absent in the older response. */
  category_applied_input_types?: ModerationByCategory<Open<ModerationInputType>[]>;
  /** The score from which each category is flagged; absent for models that do not decide by thresholds. */
  category_thresholds?: Record<string, number>;
}

export interface Moderation {
  id: string;
  model: string;
  results: ModerationResult[];
}

export type ModerationModel = NonNullable<ModerationCreateParams['model']>;
export type ModerationMultiModalInput = ModerationTextInput | ModerationImageInput;
