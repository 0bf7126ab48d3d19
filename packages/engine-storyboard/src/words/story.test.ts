import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashOf } from '../random.ts';
import { actorEntries } from './actor-words.ts';
import { lookOf } from './look.ts';
import type { Scene } from './scene.ts';
import { storyOf } from './story.ts';

const sceneOf = (...prompts: readonly string[]): Scene => storyOf(prompts)[0]!.scene;
const actorsOf = (...prompts: readonly string[]) => sceneOf(...prompts).actors.map(({ kind }) => kind);

test.each<[string, Partial<Scene>]>([
  ['A calm sea at sunset', { place: 'sea', time: 'sunset', mood: 'calm' }],
  ['snowy mountains under the northern lights', { place: 'mountains', weather: 'snow', sky: ['aurora'] }],
  ['a city by the sea', { place: 'sea', behind: ['city'] }],
  ['a desert road, pan left, slow motion', { place: 'desert', behind: ['road'], camera: 'left', pace: 0.4 }],
  ['night city in the rain, fast', { place: 'city', time: 'night', weather: 'rain', pace: 1.9 }],
  ['a purple dream', { tints: ['purple'], mood: 'dreamy' }],
  ['🌊 🌅', { place: 'sea', time: 'dawn' }],
])('reads the scene of "%s"', (prompt, scene) => {
  expect(sceneOf(prompt)).toMatchObject(scene);
});

test.each<[string, object]>([
  ['three red balloons rising', { kind: 'toyballoon', count: 3, colour: 'red', move: 'rise' }],
  ['a flock of birds', { kind: 'bird', count: 9 }],
  ['12 sheep', { kind: 'sheep', count: 12 }],
  ['a huge spinning cube', { kind: 'cube', count: 1, size: 1.7, move: 'spin' }],
  ['a dog jumps over the puddle', { kind: 'dog', move: 'jump' }],
  ['hot air balloons', { kind: 'balloon', count: 3 }],
  ['the boat is red', { kind: 'sailboat', colour: 'red' }],
])('reads the actor of "%s"', (prompt, actor) => {
  expect(sceneOf(prompt).actors[0]).toMatchObject(actor);
});

test('a colour that belongs to no actor tints the whole', () => {
  expect(sceneOf('a boat under a pink sky')).toMatchObject({ tints: ['pink'], actors: [{ colour: undefined }] });
});

test.each<[readonly string[], readonly string[]]>([
  [
    ['a boat on the sea', 'add two birds'],
    ['sailboat', 'bird'],
  ],
  [['a boat and a bird', 'remove the bird'], ['sailboat']],
  [['a boat and a bird', 'the same without the boat'], ['bird']],
  [['a boat on the sea', 'replace the boat with a whale'], ['whale']],
  [['a boat on the sea', 'turn the boat into a whale'], ['whale']],
  [['a boat on the sea', 'a whale instead of the boat'], ['whale']],
  [
    ['a boat on the sea', 'add two birds', 'remove the boat', 'add a whale'],
    ['bird', 'whale'],
  ],
])('a remix changes who is there: %j', (prompts, kinds) => {
  expect(actorsOf(...prompts)).toEqual(kinds);
});

test('a remix keeps what it does not speak of, over a chain', () => {
  const scene = sceneOf(
    'Two red boats on a calm sea at sunset',
    'make it night',
    'now it is snowing',
    'make the boats blue',
  );
  expect(scene).toMatchObject({ place: 'sea', time: 'night', weather: 'snow', mood: 'calm' });
  expect(scene.actors).toMatchObject([{ kind: 'sailboat', count: 2, colour: 'blue' }]);
});

test('a remix moves the scene elsewhere, or puts something behind it', () => {
  expect(sceneOf('a fox in a forest', 'make it in the desert').place).toBe('desert');
  expect(sceneOf('a fox in a meadow', 'add mountains in the background')).toMatchObject({
    place: 'meadow',
    behind: ['mountains'],
  });
});

test('a new place or a word of sequence begins a beat of its own, and a remix changes all of them', () => {
  const story = storyOf(['A boat on the sea at dawn. It is red. Then a fox in a forest.', 'make it night']);
  expect(story.map(({ scene }) => [scene.place, scene.time])).toEqual([
    ['sea', 'night'],
    ['forest', 'night'],
  ]);
  expect(story[0]!.scene.actors).toMatchObject([{ kind: 'sailboat', colour: 'red' }]);
});

test('words that mean nothing are kept, to shape by their hash', () => {
  expect(sceneOf('quarterly synergy').unknown).toEqual(['quarterly', 'synergy']);
  expect(lookOf(sceneOf('quarterly synergy'), 1).place).toBe('abstract');
});

test('every actor can be named by each of its words', () => {
  for (const [kind, { words }] of Object.entries(actorEntries)) {
    for (const word of words.split(' ')) {
      expect([word, actorsOf(word.replaceAll('-', ' '))]).toEqual([word, [kind]]);
    }
  }
});

test('any text at all makes a story of which every look is complete', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { minLength: 1, maxLength: 4 }), (prompts) => {
      for (const { scene, caption } of storyOf(prompts)) {
        expect(Object.values({ ...lookOf(scene, hashOf(caption)), season: 0 })).not.toContain(undefined);
        expect(scene.actors.length).toBeLessThanOrEqual(6);
      }
    }),
  );
});

test('a caption holds no control characters and none that turn the direction of text', () => {
  const [beat] = storyOf(['a\u0000b\u202Ec\u2066d\r\ne\u001b[31m <b>f</b>']);
  expect(beat?.caption).toBe('a bcd e [31m <b>f</b>');
});
