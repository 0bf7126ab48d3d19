/** What `tooling/moderation-training` trains and measures the model with. Not published. */
export { categories, columnOf, subcategoryPairs, type Category } from '../categories.ts';
export { logits, readWindow, scores, takeMaximum } from '../classifier.ts';
export { buckets, type Features } from '../features.ts';
export { hashText } from '../hash.ts';
export { riskyWords } from '../lexicon.ts';
export { judgedCategories, thresholds } from '../thresholds.ts';
export { vocabularyOf, type Vocabulary } from '../vocabulary.ts';
export { loadWeights, weightsFile, type Column, type WeightsHeader } from '../weights.ts';
export { removeInvisible, windows } from '../windows.ts';
