import type { ModerationCategory } from '@modelwire/schema/types';

/** Our description of each category for the judge, in the order of the API (API: Moderation object). */
export const meanings = {
  sexual: 'content meant to arouse, or explicit description of sexual acts; not health or education',
  hate: 'contempt for people because of race, origin, religion, gender, orientation, disability or the like',
  harassment: 'insulting, degrading or tormenting somebody',
  'self-harm': 'promoting, encouraging or depicting suicide, cutting, eating disorders or the like',
  'sexual/minors': 'sexual content that involves anybody under 18',
  'hate/threatening': 'hate that also threatens or wishes violence or serious harm upon the group',
  'violence/graphic': 'death, violence or injury shown or described in gory detail',
  'self-harm/intent': 'the speaker does, or intends to do, harm to themselves',
  'self-harm/instructions': 'how to harm oneself, or advice on it',
  'harassment/threatening': 'harassment that also threatens or wishes violence or serious harm upon somebody',
  violence: 'killing, hurting or threatening, depicted or encouraged',
  illicit: 'advice or instructions for wrongdoing that is not violent: theft, fraud, drugs, break-ins, malware',
  'illicit/violent': 'advice or instructions for wrongdoing with violence, or for getting a weapon',
} as const satisfies Readonly<Record<ModerationCategory, string>>;

export const categories = Object.keys(meanings) as readonly (keyof typeof meanings)[];

export type Scores = Readonly<Record<ModerationCategory, number>>;
