/** Whether, and how, chat is judged by a moderation model. */
export interface ChatModeration {
  /**
   * `input`: the text of the messages of every role (system, developer, user, assistant, tool, function), and images where the model sees
   * images. `output`: all text of replies; speech by its transcript. Not judged: `input_audio` parts, files that the chat model takes as they
   * are, and the descriptions of tools and schemas.
   */
  readonly of: 'input' | 'output' | 'both';
  /** A flagged input is a 400 of code `content_filter`, or it is answered and the header `x-modelwire-flagged` and the log say why. Default `refuse`. */
  readonly flaggedInput?: 'refuse' | 'flag';
  /** Default: the first moderation model. */
  readonly model?: string;
}
