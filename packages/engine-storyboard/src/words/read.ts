import { meaningOf } from './meanings.ts';
import type { Meaning } from './meanings.ts';
import type { Actor, Place, Scene } from './scene.ts';
import { tokensOf } from './tokens.ts';
import type { Token } from './tokens.ts';

const actorsAtMost = 6;
const unknownAtMost = 40;
export const countAtMost = 24;
/** What may stand behind another place, or lead through it. */
const backdrops: ReadonlySet<Place> = new Set(['city', 'mountains', 'forest', 'village', 'road']);

/** How a text is read: on its own, or as a change to a scene that is there. */
export type Reading = 'first' | 'change';

type Draft = { -readonly [Key in keyof Scene]: Scene[Key] };

/** The scene, changed by what the text says. What the text does not speak of stays. */
export function read(scene: Scene, text: string, reading: Reading): Scene {
  const draft: Draft = { ...scene };
  const tokens = tokensOf(text);
  let colour: Actor['colour'];
  let count: number | undefined;
  let size: number | undefined;
  let move: Actor['move'];
  let mode: 'with' | 'without' | 'not' = 'with';
  let replacing: Actor | Place | 'wanted' | undefined;
  let placed = false;
  // The actor spoken of; in a change, `it` is the first there is.
  let subject: number | undefined;

  const edit = (index: number, change: Partial<Actor>) => {
    draft.actors = draft.actors.map((actor, at) => (at === index ? { ...actor, ...change } : actor));
  };
  const settleMode = () => {
    if (mode === 'not') mode = 'with';
  };

  const actor = (kind: Actor['kind'], plural: boolean) => {
    const at = draft.actors.findIndex((other) => other.kind === kind);
    const there = draft.actors[at];
    if (mode !== 'with') {
      draft.actors = draft.actors.filter((other) => other.kind !== kind);
      settleMode();
    } else if (replacing === 'wanted' && there) {
      replacing = there;
      subject = at;
    } else if (there && !(reading === 'first' && colour && there.colour && colour !== there.colour)) {
      edit(at, given({ colour, count: count ?? (plural && there.count === 1 ? 3 : undefined), size, move }));
      subject = at;
    } else {
      const from = typeof replacing === 'object' ? replacing : undefined;
      if (from) draft.actors = draft.actors.filter((other) => other !== from);
      const added: Actor = {
        kind,
        count: Math.min(countAtMost, Math.max(1, count ?? (plural ? 3 : (from?.count ?? 1)))),
        colour,
        move: move ?? from?.move,
        size: size ?? from?.size ?? 1,
      };
      draft.actors = [...draft.actors, added].slice(-actorsAtMost);
      subject = draft.actors.length - 1;
      if (from) replacing = undefined;
    }
    colour = count = size = move = undefined;
  };

  const place = (value: Place) => {
    if (mode !== 'with') {
      draft.behind = draft.behind.filter((other) => other !== value);
      if (draft.place === value) draft.place = undefined;
      settleMode();
      return;
    }
    const first = reading === 'first' ? draft.place === undefined : !placed && !addsBehind(text, value);
    if (first) {
      if (reading === 'change' && draft.place !== value) draft.behind = [];
      draft.place = value;
    } else if (draft.place && backdrops.has(draft.place) && !backdrops.has(value) && reading === 'first') {
      // The ground in front wins: a town by the sea is a sea with a town behind it.
      draft.behind = [...draft.behind, draft.place];
      draft.place = value;
    } else if (draft.place !== value && backdrops.has(value) && !draft.behind.includes(value)) {
      draft.behind = [...draft.behind, value];
    }
    placed = true;
  };

  for (const [at, token] of tokens.entries()) {
    const { word, known } = token;
    if (pronouns.has(word) && draft.actors.length > 0) subject ??= reading === 'first' ? draft.actors.length - 1 : 0;
    if (!known) {
      const number = /^\d{1,6}$/.test(word) ? Number(word) : undefined;
      if (number !== undefined && ahead(tokens, at, 'actor', 3)) count = Math.min(countAtMost, number);
      else if (draft.unknown.length < unknownAtMost) draft.unknown = [...draft.unknown, word];
      continue;
    }
    const { meaning } = known;
    switch (meaning.as) {
      case 'actor':
        actor(meaning.value, known.plural);
        break;
      case 'place':
        place(meaning.value);
        break;
      case 'colour':
        if (ahead(tokens, at, 'actor', 2)) colour = meaning.value;
        else if (subject !== undefined && mode === 'with' && spokenOf(tokens, at))
          edit(subject, { colour: meaning.value });
        else if (mode === 'with')
          draft.tints = [...draft.tints.filter((tint) => tint !== meaning.value), meaning.value].slice(-3);
        else draft.tints = draft.tints.filter((tint) => tint !== meaning.value);
        if (typeof replacing === 'object') replacing = undefined;
        break;
      case 'count':
        if (ahead(tokens, at, 'actor', 4)) count = meaning.value === 1 && (count ?? 1) > 1 ? count : meaning.value;
        break;
      case 'size':
        if (ahead(tokens, at, 'actor', 3)) size = meaning.value;
        else if (subject !== undefined) edit(subject, { size: meaning.value });
        break;
      case 'move': {
        const index = subject ?? (reading === 'change' && draft.actors.length > 0 ? 0 : undefined);
        if (ahead(tokens, at, 'actor', 1)) move = meaning.value;
        else if (index !== undefined && mode === 'with') edit(index, { move: meaning.value });
        else if (mode === 'with') move = meaning.value;
        break;
      }
      case 'sky':
        draft.sky = draft.sky.filter((thing) => thing !== meaning.value);
        if (mode === 'with') draft.sky = [...draft.sky, meaning.value];
        settleMode();
        break;
      case 'time':
        if (mode === 'with') draft.time = meaning.value;
        settleMode();
        break;
      case 'weather':
        if (mode === 'with') draft.weather = meaning.value;
        else if (draft.weather === meaning.value) draft.weather = 'clear';
        settleMode();
        break;
      case 'season':
        if (mode === 'with') draft.season = meaning.value;
        settleMode();
        break;
      case 'mood':
        if (mode === 'with') draft.mood = meaning.value;
        settleMode();
        break;
      case 'camera':
        draft.camera = meaning.value;
        break;
      case 'pace':
        draft.pace = meaning.value;
        break;
      case 'heading':
        draft.heading = meaning.value;
        break;
      case 'without':
      case 'not':
        mode = meaning.as;
        break;
      case 'with':
        mode = 'with';
        replacing = replacing === 'wanted' ? undefined : replacing;
        break;
      case 'replace':
        replacing = 'wanted';
        mode = 'with';
        break;
      case 'by':
      case 'nothing':
        break;
    }
  }
  return draft;
}

/** Whether a word of this kind comes within so many tokens, with none but describing ones between. */
function ahead(tokens: readonly Token[], at: number, as: Meaning['as'], reach: number): boolean {
  for (let step = 1; step <= reach; step++) {
    const next = tokens[at + step];
    if (!next) return false;
    const found = next.known?.meaning.as;
    if (found === as) return true;
    if (found === 'place' || found === 'without' || found === 'not' || found === 'with' || found === 'by') return false;
  }
  return false;
}

/** `the boat red`, `the boat is red`, `the boat to red`: the colour is the boat's. `a boat under a pink sky` is not. */
function spokenOf(tokens: readonly Token[], at: number): boolean {
  for (let back = 1; back <= 3; back++) {
    const before = tokens[at - back];
    const found = before?.known?.meaning.as;
    if (found === 'actor' || pronouns.has(before?.word ?? ''))
      return tokens[at + 1] === undefined || meaningOf(tokens[at + 1]?.word ?? '') !== undefined;
    if (
      before?.word !== 'is' &&
      before?.word !== 'are' &&
      found !== 'by' &&
      before?.word !== 'bright' &&
      found !== 'colour'
    ) {
      return false;
    }
  }
  return false;
}

const pronouns: ReadonlySet<string> = new Set(['it', 'they', 'them']);
const additions = /\b(?:add|with|plus|behind|background|distance|and|also)\b/i;

function addsBehind(text: string, value: Place): boolean {
  return backdrops.has(value) && additions.test(text);
}

function given<Fields extends object>(fields: Fields): { [Key in keyof Fields]?: NonNullable<Fields[Key]> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  // The fields that are there, as they were.
  return Object.fromEntries(entries) as { [Key in keyof Fields]?: NonNullable<Fields[Key]> };
}
