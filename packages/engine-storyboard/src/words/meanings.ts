import { actorEntries } from './actor-words.ts';
import type { ActorKind } from './actor-words.ts';
import { colours, colourWords } from './colour-words.ts';
import type { ColourName } from './colour-words.ts';
import type { Camera, Mood, Move, Place, Season, SkyThing, Time, Weather } from './scene.ts';

/** What a word does to a scene. */
export type Meaning =
  | { readonly as: 'place'; readonly value: Place }
  | { readonly as: 'time'; readonly value: Time }
  | { readonly as: 'weather'; readonly value: Weather }
  | { readonly as: 'season'; readonly value: Season }
  | { readonly as: 'mood'; readonly value: Mood }
  | { readonly as: 'sky'; readonly value: SkyThing }
  | { readonly as: 'actor'; readonly value: ActorKind }
  | { readonly as: 'colour'; readonly value: ColourName }
  | { readonly as: 'move'; readonly value: Move }
  | { readonly as: 'camera'; readonly value: Camera }
  | { readonly as: 'pace'; readonly value: number }
  | { readonly as: 'size'; readonly value: number }
  | { readonly as: 'count'; readonly value: number }
  | { readonly as: 'heading'; readonly value: -1 | 1 }
  /** Takes away what follows, up to the next of these. */
  | { readonly as: 'without' }
  | { readonly as: 'not' }
  | { readonly as: 'with' }
  | { readonly as: 'replace' }
  | { readonly as: 'by' }
  | { readonly as: 'nothing' };

const table: { [As in Meaning['as']]?: Readonly<Record<string, string>> } = {
  place: {
    sea: 'sea ocean waves wave harbor harbour bay pacific atlantic horizon-at-sea',
    beach: 'beach shore coast island seaside tropical lagoon sand',
    lake: 'lake river pond reflection reflections stream fjord waterfall swamp',
    underwater: 'underwater reef coral-reef seabed aquarium deep-sea undersea submerged',
    city: 'city town street downtown skyline urban metropolis skyscrapers tokyo paris london new-york cyberpunk neon manhattan alley traffic rooftop market',
    village: 'village farm countryside suburb hamlet vineyard',
    road: 'road highway route track railway-track path',
    forest: 'forest woods wood jungle rainforest grove taiga woodland',
    mountains: 'mountain mountains peak summit alps himalaya cliff canyon valley volcano hill hills ridge everest',
    meadow: 'meadow field grass garden park prairie savanna savannah pasture lawn plain plains playground',
    desert: 'desert dune dunes sahara wasteland oasis mars-surface arid badlands',
    snowfield: 'snowfield arctic antarctica tundra glacier north-pole south-pole ice iceberg',
    space: 'space galaxy cosmos universe nebula orbit outer-space interstellar cosmic moon-surface milky-way',
    room: 'room kitchen bedroom interior indoors inside office cafe café library studio table desk window living-room classroom laboratory lab museum',
    abstract: 'abstract geometric shapes pattern minimal minimalist logo typography gradient motion-graphics',
  },
  time: {
    day: 'day daytime noon midday morning-light daylight afternoon',
    dawn: 'dawn sunrise morning daybreak',
    sunset: 'sunset dusk evening twilight golden-hour golden-light sundown',
    night: 'night midnight nighttime nocturnal moonlit moonlight starlit nightfall',
  },
  weather: {
    clear: 'clear sunny cloudless bright-sky',
    clouds: 'cloud clouds cloudy overcast',
    rain: 'rain rainy raining drizzle shower wet puddles',
    storm: 'storm stormy thunder thunderstorm lightning tempest hurricane',
    snow: 'snow snowy snowing snowfall blizzard snowflakes frost',
    fog: 'fog foggy mist misty haze hazy smoke smoky',
    petals: 'petals confetti leaves falling-leaves cherry-blossom cherry-blossoms sakura',
    embers: 'embers sparks ash lava eruption erupting inferno fireflies',
  },
  season: {
    spring: 'spring springtime blooming',
    summer: 'summer summertime',
    autumn: 'autumn autumnal october',
    winter: 'winter wintry frozen icy',
  },
  mood: {
    calm: 'calm peaceful quiet serene gentle tranquil still-life cozy cosy relaxing soft lonely solitary',
    joyful: 'happy joyful playful cheerful vibrant colourful colorful fun bright lively festive party celebration',
    dark: 'dark sad gloomy scary spooky eerie ominous mysterious noir haunted grim horror melancholy',
    dreamy: 'dreamy dream magical magic surreal fantasy enchanted pastel ethereal fairy whimsical nostalgic',
    epic: 'epic dramatic cinematic heroic majestic grand huge-scale powerful legendary',
  },
  sky: {
    sun: 'sun sunshine sunlight',
    moon: 'moon full-moon crescent',
    stars: 'star stars starry constellation constellations',
    rainbow: 'rainbow',
    aurora: 'aurora northern-lights borealis',
    fireworks: 'firework fireworks',
  },
  move: {
    still:
      'still motionless frozen-in-time standing sitting sleeping resting waiting parked stand sit sleep rest wait lying asleep',
    walk: 'drive driving walk walking stroll strolling wandering wander marching march hiking crossing cross creeping',
    run: 'race racing run running gallop galloping chase chasing sprint sprinting rushing speeding hurrying',
    fly: 'fly flying flies soar soaring gliding glide swooping',
    float: 'float floating drift drifting hover hovering swimming swim sailing sail bobbing swaying sway',
    rise: 'rise rising ascend ascending climb climbing launch launching lift-off liftoff takes-off taking-off',
    fall: 'fall falling descend descending drop dropping sink sinking landing dive diving',
    jump: 'jump jumping bounce bouncing hop hopping leap leaping skipping juggling',
    spin: 'spin spinning rotate rotating turning twirl twirling rolling roll whirling tumbling',
    dance: 'dance dancing wiggle wiggling waving wave-hello shaking cheering skateboarding surfing playing',
    circle: 'circling orbiting orbits revolving encircling around-and-around',
    grow: 'grow growing expanding swelling blossoming growing-up',
    shrink: 'shrink shrinking vanishing disappearing fading',
  },
  camera: {
    still: 'static-shot static-camera fixed-camera locked-off tripod',
    left: 'pan-left panning-left pans-left truck-left',
    right: 'pan-right panning-right pans-right truck-right pan panning pans panorama panoramic',
    up: 'tilt-up crane-up pan-up boom-up tilts-up camera-rises',
    down: "tilt-down crane-down pan-down tilts-down aerial overhead drone top-down bird's-eye",
    in: 'zoom-in zooming-in zooms-in push-in dolly-in dolly close-up closeup zoom macro',
    out: 'zoom-out zooming-out zooms-out pull-back pull-out dolly-out wide-shot wide-angle',
    follow: 'tracking-shot tracking follow following follows tracks',
  },
};

const numbers: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  single: 1,
  lone: 1,
  two: 2,
  couple: 2,
  pair: 2,
  twin: 2,
  three: 3,
  several: 4,
  few: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  dozen: 12,
  dozens: 16,
  many: 9,
  flock: 9,
  herd: 7,
  group: 5,
  crowd: 9,
  fleet: 6,
  school: 9,
  swarm: 14,
  hundred: 20,
  hundreds: 22,
  thousand: 24,
  thousands: 24,
};
const paces: Readonly<Record<string, number>> = {
  fast: 1.9,
  quick: 1.8,
  quickly: 1.8,
  rapid: 1.9,
  rapidly: 1.9,
  speedy: 1.9,
  'fast-paced': 1.9,
  timelapse: 2.2,
  'time-lapse': 2.2,
  hyperlapse: 2.2,
  slow: 0.5,
  slowly: 0.5,
  'slow-motion': 0.4,
  'slow-mo': 0.4,
  leisurely: 0.6,
  gently: 0.7,
};
const sizes: Readonly<Record<string, number>> = {
  tiny: 0.5,
  small: 0.7,
  little: 0.7,
  mini: 0.6,
  big: 1.35,
  large: 1.35,
  tall: 1.3,
  huge: 1.7,
  giant: 1.8,
  gigantic: 1.9,
  enormous: 1.8,
  massive: 1.7,
};
const grammar: Readonly<Record<'without' | 'not' | 'with' | 'replace' | 'by' | 'nothing', string>> = {
  without: 'without no remove removing delete erase lose minus take-away take-out get-rid-of',
  not: 'not instead-of rather-than except',
  with: 'with add adding plus has make making and-also but include put give now',
  replace: 'replace swap change turn transform exchange turns changes',
  by: 'into for to becomes become',
  nothing:
    'the of in on at by and or is are was were be been being it its this that these those there here from as over under above below near behind beside between through across along against into while when where who which whose his her their our my your he she they we you i scene shot video clip camera image picture footage background foreground style look looks like very really same keep but so up down off out then next after before background please show shows showing see make makes made against some any all more most other another only just also film movie',
};

const lexicon = new Map<string, Meaning>();
function learn(words: string, meaning: Meaning): void {
  for (const word of words.split(' ')) if (!lexicon.has(word)) lexicon.set(word, meaning);
}

for (const name of Object.keys(colours) as ColourName[]) learn(name, { as: 'colour', value: name });
for (const [word, value] of Object.entries(colourWords)) learn(word, { as: 'colour', value });
for (const [as, words] of Object.entries(table)) {
  // The keys above are the values of their meanings.
  for (const [value, list] of Object.entries(words)) learn(list, { as, value } as Meaning);
}
for (const [kind, { words }] of Object.entries(actorEntries)) learn(words, { as: 'actor', value: kind as ActorKind });
for (const [word, value] of Object.entries(numbers)) learn(word, { as: 'count', value });
for (const [word, value] of Object.entries(paces)) learn(word, { as: 'pace', value });
for (const [word, value] of Object.entries(sizes)) learn(word, { as: 'size', value });
learn('left leftward leftwards', { as: 'heading', value: -1 });
learn('right rightward rightwards', { as: 'heading', value: 1 });
for (const as of ['without', 'not', 'with', 'replace', 'by', 'nothing'] as const) learn(grammar[as], { as });

/** Irregular plurals, and words whose ending is no ending. */
const irregular: Readonly<Record<string, string>> = {
  men: 'man',
  women: 'woman',
  children: 'child',
  wolves: 'wolf',
  mice: 'mouse',
  geese: 'goose',
  people: 'people',
  fishes: 'fish',
  butterflies: 'butterfly',
  ponies: 'pony',
  bunnies: 'bunny',
  puppies: 'puppy',
  cherries: 'cherry',
  daisies: 'daisy',
  cities: 'city',
  galaxies: 'galaxy',
  ferries: 'ferry',
  lilies: 'lily',
  poppies: 'poppy',
  taxis: 'taxi',
};

const samePlural: ReadonlySet<string> = new Set([
  'people',
  'fish',
  'sheep',
  'deer',
  'cattle',
  'goldfish',
  'jellyfish',
  'salmon',
]);

export interface Known {
  readonly meaning: Meaning;
  readonly plural: boolean;
}

/** What a word or a phrase (`zoom-in`) means, in any of its common endings. */
export function meaningOf(word: string): Known | undefined {
  const direct = lexicon.get(word);
  if (direct) return { meaning: direct, plural: samePlural.has(word) };
  const known = irregular[word];
  const singular =
    known ?? (/(?:s|x|ch|sh)es$/.test(word) ? word.slice(0, -2) : word.endsWith('s') ? word.slice(0, -1) : '');
  const many = lexicon.get(singular);
  if (many) return { meaning: many, plural: true };
  for (const [ending, instead] of [
    ['ing', ''],
    ['ing', 'e'],
    ['ed', ''],
    ['ed', 'e'],
    ['ly', ''],
    ['y', ''],
    ["'s", ''],
  ] as const) {
    if (word.length > ending.length + 2 && word.endsWith(ending)) {
      const meaning = lexicon.get(word.slice(0, -ending.length) + instead);
      if (meaning && meaning.as !== 'nothing') return { meaning, plural: false };
    }
  }
  return undefined;
}

/** Pictograms that stand for a word. */
export const pictograms: Readonly<Record<string, string>> = {
  '🌊': 'sea',
  '🌅': 'sunrise',
  '🌇': 'sunset',
  '🌃': 'night city',
  '🏔': 'mountain',
  '⛰': 'mountain',
  '🌲': 'pine',
  '🌳': 'tree',
  '🌴': 'palm',
  '🌵': 'cactus',
  '🏜': 'desert',
  '🌧': 'rain',
  '❄': 'snow',
  '⛈': 'storm',
  '🔥': 'fire',
  '🌙': 'moon',
  '☀': 'sun',
  '⭐': 'stars',
  '🌈': 'rainbow',
  '🎆': 'fireworks',
  '🚀': 'rocket',
  '🛸': 'ufo',
  '⛵': 'sailboat',
  '🚢': 'ship',
  '🐳': 'whale',
  '🐋': 'whale',
  '🐟': 'fish',
  '🐱': 'cat',
  '🐈': 'cat',
  '🐶': 'dog',
  '🐕': 'dog',
  '🦊': 'fox',
  '🐎': 'horse',
  '🐘': 'elephant',
  '🦋': 'butterfly',
  '🐉': 'dragon',
  '🤖': 'robot',
  '🚗': 'car',
  '🚂': 'train',
  '✈': 'plane',
  '🎈': 'balloon',
  '🏠': 'house',
  '🏰': 'castle',
  '🌸': 'flower',
  '❤': 'heart',
};
