import type { Category } from '@modelwire/engine-moderation/testing';

/**
 * The score from which a category is flagged, and the penalty of its logit without a rule. Chosen with choose.ts on the tenth
 * for calibration: as low as a precision of 0.7 allows there, but above ordinary sentences with risky words, with some margin.
 */
export const decisions: Readonly<Record<Category, { readonly threshold: number; readonly doubt: number }>> = {
  sexual: { threshold: 0.4, doubt: 0.5 },
  hate: { threshold: 0.75, doubt: 0 },
  harassment: { threshold: 0.72, doubt: 0 },
  'self-harm': { threshold: 0.52, doubt: 0.5 },
  'sexual/minors': { threshold: 0.45, doubt: 1 },
  'hate/threatening': { threshold: 0.6, doubt: 0.5 },
  'violence/graphic': { threshold: 0.55, doubt: 0.5 },
  'self-harm/intent': { threshold: 0.5, doubt: 1 },
  'self-harm/instructions': { threshold: 0.5, doubt: 2 },
  'harassment/threatening': { threshold: 0.5, doubt: 1 },
  violence: { threshold: 0.52, doubt: 0.5 },
  illicit: { threshold: 0.6, doubt: 2.5 },
  'illicit/violent': { threshold: 0.5, doubt: 2 },
};
