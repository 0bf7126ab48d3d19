/** Whether, and how, chat is looked at by a moderation model. */
export interface ChatModeration {
  readonly of: 'input' | 'output' | 'both';
  /** A flagged input is a 400 of code `content_filter`, or it is answered and the header `x-modelwire-flagged` and the log say why. Default `refuse`. */
  readonly flaggedInput?: 'refuse' | 'flag';
  /** Default: the first moderation model. */
  readonly model?: string;
}
