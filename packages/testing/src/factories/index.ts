import { completionFactories } from './completions.ts';
import { conversationFactories } from './conversations.ts';
import { datasetFactories } from './datasets.ts';
import { embeddingFactories } from './embeddings.ts';
import { messageFactories } from './messages.ts';
import { organizationFactories } from './organization.ts';
import { seededRandom } from './random.ts';
import { responseFactories } from './responses.ts';
import { fileFactories, modelFactories } from './resources.ts';
import { textCompletionFactories } from './text-completions.ts';
import { batchFactories, moderationFactories, videoFactories } from './jobs.ts';

export type { Factory } from './factory.ts';
export type { Part } from './merge.ts';

export interface FactoryOptions {
  /** The same seed and the same order of calls create the same objects. Default 1. */
  readonly seed?: number;
}

/** The factories of the objects that servers return, by the name of their schema. */
export type Factories = ReturnType<typeof factories>;

/** Creates valid objects as servers return them, with your values over the defaults: `factories().chatCompletion({ model: 'm' })`. */
export function factories({ seed = 1 }: FactoryOptions = {}) {
  const random = seededRandom(seed);
  return {
    ...completionFactories(random),
    ...responseFactories(random),
    ...conversationFactories(random),
    ...textCompletionFactories(random),
    ...embeddingFactories(),
    ...fileFactories(random),
    ...modelFactories(random),
    ...batchFactories(random),
    ...videoFactories(random),
    ...moderationFactories(random),
    ...organizationFactories(random),
    ...messageFactories(random),
    ...datasetFactories(random),
  };
}
