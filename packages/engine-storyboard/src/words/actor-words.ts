export type Habitat = 'ground' | 'water' | 'air' | 'under' | 'space';

interface ActorEntry {
  /** Where it is at home: decides the place of a prompt that names none, and the height it is drawn at. */
  readonly habitat: Habitat;
  /** Height beside a hero of 1. */
  readonly size: number;
  /** Words that mean it, the singular alone. */
  readonly words: string;
}

/** Everything that can be drawn as an actor, and the words for it. */
export const actorEntries = {
  sailboat: {
    habitat: 'water',
    size: 1.25,
    words: 'sailboat boat yacht dinghy sailing-boat canoe rowboat gondola raft',
  },
  ship: { habitat: 'water', size: 1.1, words: 'ship ferry steamer liner tanker freighter galleon' },
  whale: { habitat: 'water', size: 0.9, words: 'whale orca dolphin shark' },
  duck: { habitat: 'water', size: 0.5, words: 'duck swan goose duckling' },
  fish: { habitat: 'under', size: 0.5, words: 'fish goldfish salmon tuna clownfish' },
  jellyfish: { habitat: 'under', size: 0.9, words: 'jellyfish octopus squid' },
  turtle: { habitat: 'under', size: 0.6, words: 'turtle tortoise' },
  submarine: { habitat: 'under', size: 0.8, words: 'submarine diver' },
  bird: {
    habitat: 'air',
    size: 0.34,
    words: 'bird gull seagull eagle hawk crow raven dove swallow owl parrot crane heron pigeon sparrow bat',
  },
  butterfly: { habitat: 'air', size: 0.4, words: 'butterfly moth dragonfly bee' },
  balloon: { habitat: 'air', size: 1.15, words: 'hot-air-balloon airship zeppelin' },
  toyballoon: { habitat: 'air', size: 0.8, words: 'balloon' },
  kite: { habitat: 'air', size: 0.7, words: 'kite' },
  lantern: { habitat: 'air', size: 0.5, words: 'lantern sky-lantern paper-lantern' },
  plane: { habitat: 'air', size: 0.5, words: 'plane airplane aeroplane jet aircraft glider paper-plane' },
  dragon: { habitat: 'air', size: 1, words: 'dragon wyvern phoenix' },
  ufo: { habitat: 'space', size: 0.5, words: 'ufo flying-saucer alien alien-ship' },
  rocket: { habitat: 'space', size: 1.2, words: 'rocket spaceship spacecraft shuttle starship missile' },
  satellite: { habitat: 'space', size: 0.6, words: 'satellite space-station probe' },
  planet: { habitat: 'space', size: 0.9, words: 'planet saturn jupiter mars earth globe' },
  comet: { habitat: 'space', size: 0.6, words: 'comet asteroid meteor meteorite shooting-star' },
  astronaut: { habitat: 'space', size: 0.95, words: 'astronaut cosmonaut spaceman spacewoman' },
  person: {
    habitat: 'ground',
    size: 1,
    words:
      'person man woman boy girl child kid people someone figure human traveller traveler hiker runner dancer farmer wizard knight king queen monk soldier musician couple friend crowd family samurai detective surfer skier',
  },
  robot: { habitat: 'ground', size: 0.95, words: 'robot android droid cyborg machine' },
  cat: { habitat: 'ground', size: 0.62, words: 'cat kitten kitty tiger panther leopard lynx' },
  dog: { habitat: 'ground', size: 0.68, words: 'dog puppy corgi hound poodle' },
  fox: { habitat: 'ground', size: 0.66, words: 'fox wolf coyote' },
  horse: { habitat: 'ground', size: 1.05, words: 'horse pony unicorn stallion donkey zebra' },
  deer: { habitat: 'ground', size: 1.05, words: 'deer stag elk moose reindeer gazelle antelope' },
  cow: { habitat: 'ground', size: 0.85, words: 'cow bull buffalo bison ox yak' },
  sheep: { habitat: 'ground', size: 0.62, words: 'sheep lamb goat alpaca llama' },
  bear: { habitat: 'ground', size: 0.9, words: 'bear panda pig hippo rhino' },
  lion: { habitat: 'ground', size: 0.85, words: 'lion lioness' },
  elephant: { habitat: 'ground', size: 1.25, words: 'elephant mammoth' },
  camel: { habitat: 'ground', size: 1.15, words: 'camel dromedary' },
  giraffe: { habitat: 'ground', size: 1.6, words: 'giraffe dinosaur brontosaurus' },
  rabbit: { habitat: 'ground', size: 0.45, words: 'rabbit bunny hare mouse squirrel hamster' },
  car: { habitat: 'ground', size: 0.55, words: 'car taxi cab automobile vehicle convertible sedan jeep' },
  bus: { habitat: 'ground', size: 0.75, words: 'bus truck van lorry tram' },
  train: { habitat: 'ground', size: 0.6, words: 'train locomotive railway subway' },
  bicycle: { habitat: 'ground', size: 0.8, words: 'bicycle bike motorcycle scooter cyclist' },
  tree: { habitat: 'ground', size: 1.5, words: 'tree oak birch maple willow baobab cherry-tree' },
  pine: { habitat: 'ground', size: 1.6, words: 'pine fir spruce christmas-tree' },
  palm: { habitat: 'ground', size: 1.6, words: 'palm palm-tree coconut' },
  cactus: { habitat: 'ground', size: 0.9, words: 'cactus cacti' },
  flower: { habitat: 'ground', size: 0.6, words: 'flower tulip daisy sunflower poppy lily blossom orchid' },
  mushroom: { habitat: 'ground', size: 0.5, words: 'mushroom toadstool' },
  house: { habitat: 'ground', size: 1.1, words: 'house cabin cottage hut home barn farmhouse' },
  castle: { habitat: 'ground', size: 1.7, words: 'castle fortress palace temple cathedral' },
  lighthouse: { habitat: 'ground', size: 1.9, words: 'lighthouse' },
  windmill: { habitat: 'ground', size: 1.6, words: 'windmill wind-turbine turbine mill' },
  tower: { habitat: 'ground', size: 2, words: 'tower skyscraper eiffel-tower obelisk' },
  tent: { habitat: 'ground', size: 0.7, words: 'tent camp teepee' },
  fire: { habitat: 'ground', size: 0.6, words: 'fire campfire bonfire flame' },
  candle: { habitat: 'ground', size: 0.6, words: 'candle torch' },
  umbrella: { habitat: 'ground', size: 0.8, words: 'umbrella parasol' },
  ball: { habitat: 'ground', size: 0.5, words: 'ball sphere marble bubble orb circle dot football basketball' },
  cube: { habitat: 'ground', size: 0.55, words: 'cube box square crate gift' },
  triangle: { habitat: 'ground', size: 0.6, words: 'triangle cone' },
  pyramid: { habitat: 'ground', size: 1.4, words: 'pyramid' },
  star: { habitat: 'air', size: 0.5, words: 'starfish gold-star' },
  heart: { habitat: 'air', size: 0.5, words: 'heart valentine' },
  cup: { habitat: 'ground', size: 0.5, words: 'cup mug coffee tea teacup espresso' },
  book: { habitat: 'ground', size: 0.45, words: 'book notebook diary novel' },
  clock: { habitat: 'ground', size: 0.7, words: 'clock hourglass wristwatch' },
  lamp: { habitat: 'ground', size: 1.3, words: 'lamp streetlamp lamppost lantern-post' },
  snowman: { habitat: 'ground', size: 0.85, words: 'snowman' },
  guitar: { habitat: 'ground', size: 0.9, words: 'guitar violin cello' },
  apple: { habitat: 'ground', size: 0.45, words: 'apple pear peach cherry orange-fruit fruit pumpkin' },
} as const satisfies Readonly<Record<string, ActorEntry>>;

export type ActorKind = keyof typeof actorEntries;
