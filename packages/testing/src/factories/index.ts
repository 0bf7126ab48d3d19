import { chatRequestFactories } from './chat-requests.ts';
import { completionFactories } from './completions.ts';
import { conversationFactories } from './conversations.ts';
import { embeddingFactories } from './embeddings.ts';
import { organizationFactories } from './organization.ts';
import { seededRandom } from './random.ts';
import { responseFactories } from './responses.ts';
import { fileFactories, modelFactories } from './resources.ts';
import { textCompletionFactories } from './text-completions.ts';
import { batchFactories, moderationFactories, videoFactories } from './jobs.ts';

export type { Factory } from './factory.ts';
export type { Part } from './merge.ts';

export interface FactoryOptions {
  /** The same seed makes the same objects, in the same order of calls. Default 1. */
  readonly seed?: number;
}

/** For each schema of an object its factory, by the name of the schema. */
export type Factories = ReturnType<typeof factories>;

/** Objects of the interface that their schemas take, with what you give over the defaults: `factories().chatCompletion({ model: 'm' })`. */
export function factories({ seed = 1 }: FactoryOptions = {}) {
  const random = seededRandom(seed);
  return {
    ...completionFactories(random),
    ...chatRequestFactories(random),
    ...responseFactories(random),
    ...conversationFactories(random),
    ...textCompletionFactories(random),
    ...embeddingFactories(random),
    ...fileFactories(random),
    ...modelFactories(random),
    ...batchFactories(random),
    ...videoFactories(random),
    ...moderationFactories(random),
    ...organizationFactories(random),
  };
}
