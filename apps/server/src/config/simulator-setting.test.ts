import { expect, test } from 'vitest';
import { simulatorSetting } from './simulator-setting.ts';

const upstreams = [{ baseURL: 'http://a/v1' }];

test.each([
  ['without upstreams', {}, true],
  ['not beside upstreams', { upstreams }, false],
  ['beside upstreams if it is configured', { upstreams, simulator: true }, true],
  ['not if it is turned off', { simulator: false }, false],
  ['beside upstreams if an alias names it', { upstreams, models: { '*': { model: 'simulator' } } }, true],
  ['beside upstreams if it is the default model', { upstreams, defaultModel: 'simulator' }, true],
  ['not for other aliases', { upstreams, models: { a: { model: 'b' }, c: { upstreamModel: 'simulator' } } }, false],
])('serves the embedded model %s', (_, settings, expected) => {
  expect(simulatorSetting(settings)).toBe(expected);
});
