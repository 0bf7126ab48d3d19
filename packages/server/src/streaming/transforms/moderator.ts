import type { ResolvedModerationModel } from './moderate-inputs.ts';
import type { ModerationReport } from './moderation-report.ts';

/** `score`: what is flagged is reported. `block`: it is also refused or withheld. */
type Mode = 'score' | 'block';

/** A moderation model that judges a chat request and its reply. */
export interface Moderator {
  readonly moderationModel: ResolvedModerationModel;
  /** What follows for the messages; undefined if they are not judged. */
  readonly input: Mode | undefined;
  /** What follows for the reply; undefined if it is not judged. */
  readonly output: Mode | undefined;
  /** The results for the client; undefined if it did not ask for them. */
  readonly report: ModerationReport | undefined;
}
