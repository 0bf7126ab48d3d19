import { expect, test } from 'vitest';
import { mayNameModelInHeader, mayNameModelInPath, mayNameOtherModelInQuery } from './certain-model.ts';

const isModel = (name: string): boolean => name === 'm' || name === 'owner/large';

test.each([
  '/engines/x/completions',
  '/Engines/x/completions',
  '/openai/deployments/x/chat/completions',
  '/publishers/google/models/x:predict',
  '/tuned-models/x',
  '/x:generateContent',
  '/run/@cf/meta/x',
  '/predict/m',
  '/predict/m/now',
  '/inference/owner/large',
])('%s may name a model', (path) => expect(mayNameModelInPath(path, isModel)).toBe(true));

test.each(['/rerank', '/audio/transcriptions', '/beta/messages', '/predict', '/models'])('%s names none', (path) =>
  expect(mayNameModelInPath(path, isModel)).toBe(false),
);

test.each([
  '?model=m&model=x',
  '?a=b;model=x',
  '?a=b%3Bmodel=x',
  '?Model=x',
  '?model[]=x',
  '?model_id=x',
  '?modelId=x',
  '?deployment=x',
  '?engine=x',
  '?MODEL=x',
])('the query %s may name another model', (query) => expect(mayNameOtherModelInQuery(query)).toBe(true));

test.each(['', '?model=m', '?m%6fdel=m', '?modeling=1', '?a=model'])('the query %s does not', (query) =>
  expect(mayNameOtherModelInQuery(query)).toBe(false),
);

test('headers that name a model to some servers are recognised', () => {
  expect(['x-model', 'azureml-model-deployment', 'x-engine-id'].every(mayNameModelInHeader)).toBe(true);
  expect(['content-type', 'anthropic-version', 'accept'].some(mayNameModelInHeader)).toBe(false);
});
