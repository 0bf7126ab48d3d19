import type { Category } from '../src/categories.ts';

/**
 * From which score a category is flagged, and how much less its logit counts where no rule speaks for it. Chosen on the parts that are not
 * reported, so that ordinary sentences pass: who has no rule and little data behind it must be surer.
 */
export const decisions: Readonly<Record<Category, { readonly threshold: number; readonly doubt: number }>> = {
  sexual: { threshold: 0.6, doubt: 1 },
  hate: { threshold: 0.65, doubt: 1.3 },
  harassment: { threshold: 0.7, doubt: 0.3 },
  'self-harm': { threshold: 0.6, doubt: 1.5 },
  'sexual/minors': { threshold: 0.5, doubt: 3 },
  'hate/threatening': { threshold: 0.5, doubt: 2 },
  'violence/graphic': { threshold: 0.5, doubt: 2 },
  'self-harm/intent': { threshold: 0.6, doubt: 1.5 },
  'self-harm/instructions': { threshold: 0.6, doubt: 2.5 },
  'harassment/threatening': { threshold: 0.5, doubt: 2 },
  violence: { threshold: 0.6, doubt: 2 },
  illicit: { threshold: 0.7, doubt: 4 },
  'illicit/violent': { threshold: 0.6, doubt: 4 },
};
