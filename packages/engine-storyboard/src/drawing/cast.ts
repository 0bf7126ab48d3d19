import { chance, hashOf } from '../random.ts';
import { actorEntries } from '../words/actor-words.ts';
import type { Habitat } from '../words/actor-words.ts';
import type { Actor, Move, Place } from '../words/scene.ts';
import { drawKind, hasFace, isRooted, natural } from './actors/draw.ts';
import { penOf } from './actors/pen.ts';
import { mix, rgb } from './colour.ts';
import { settings } from './places.ts';
import { atDepth, oval } from './stage.ts';
import type { Stage } from './stage.ts';
import { crestAt } from './water.ts';

/** Where one of a group is, and how it is turned. Pixels and radians. */
interface Pose {
  x: number;
  y: number;
  angle: number;
  scale: number;
  /** Height above the ground, for its shadow. */
  lift: number;
}

/** All actors, the far ones first. */
export function drawCast(stage: Stage): void {
  const parts: { readonly depth: number; readonly y: number; readonly draw: () => void }[] = [];
  for (const [role, actor] of stage.look.actors.entries()) {
    for (let index = 0; index < actor.count; index++) parts.push(part(stage, actor, role, index));
  }
  parts.sort((a, b) => a.depth - b.depth || a.y - b.y);
  for (const { depth, draw } of parts) atDepth(stage, depth, draw);
}

/** The point a close shot looks at, parts of the frame. */
export function focusOf(stage: Stage): readonly [number, number] {
  const actor = stage.look.actors[0];
  if (!actor) return [0.5, 0.5];
  const { pose, high } = poseOf(stage, actor, 0, 0);
  return [pose.x / stage.width, (pose.y - high * 0.5) / stage.height];
}

function habitatOf(actor: Actor, place: Place): Habitat {
  const { habitat } = actorEntries[actor.kind];
  if (place === 'space') return 'space';
  if (place === 'underwater') return habitat === 'ground' && isRooted(actor.kind) ? 'ground' : 'under';
  if (
    actor.move === 'fly' ||
    (actor.move === 'float' && habitat === 'ground' && !isRooted(actor.kind) && place !== 'sea')
  )
    return 'air';
  if (habitat === 'under' || habitat === 'water')
    return place === 'sea' || place === 'beach' || place === 'lake' ? 'water' : habitat === 'under' ? 'air' : 'ground';
  if (habitat === 'space')
    return actor.kind === 'rocket' && place !== 'abstract' && actor.move !== 'rise' ? 'air' : 'air';
  return habitat;
}

interface Placed {
  readonly pose: Pose;
  readonly high: number;
  readonly depth: number;
  readonly habitat: Habitat;
  readonly move: Move;
}

const standing: ReadonlySet<Actor['kind']> = new Set([
  'lighthouse',
  'castle',
  'tower',
  'palm',
  'tree',
  'pine',
  'house',
]);

function poseOf(stage: Stage, actor: Actor, role: number, index: number): Placed {
  const { look, width, height, unit, clock, part: shotPart } = stage;
  const habitat = habitatOf(actor, look.place);
  const seed = hashOf(look.seed, 'actor', actor.kind, index);
  const many = actor.count > 1;
  const far = many ? chance(seed, 'far') : 0;
  // Many, and large ones, get smaller, so that the frame holds them.
  const own = actorEntries[actor.kind].size * actor.size;
  const crowd = many ? Math.min(1, Math.max(0.3, 1.3 / (own * Math.sqrt(actor.count)))) : 1;
  const high = unit * 1.04 * own * crowd * (1 - 0.35 * far) * (role > 1 ? 0.85 : 1);
  const setting = settings[look.place];

  // Roles stand beside one another; a group spreads over the width.
  const roles = look.actors.length;
  const side =
    roles === 1
      ? 0
      : ((role + (look.seed % 2)) % 2 === 0 ? -1 : 1) * (0.17 + 0.1 * Math.floor(role / 2)) * (role === 0 ? 0.75 : 1);
  const spread = many
    ? ((index + 0.5) / actor.count - 0.5) * (actor.count > 4 ? 1.05 : 0.66) + (chance(seed, 'x') - 0.5) * 0.1
    : 0;
  const slot = many ? 0.5 + spread + side * 0.3 : 0.5 + side + (chance(seed, 'x') - 0.5) * 0.06;

  const waterRow = look.place === 'beach' ? 0 : 1;
  let base: number;
  let depth = 0.72 - 0.2 * far;
  let bob = 0;
  switch (habitat) {
    case 'ground': {
      const onWater = look.place === 'sea' || look.place === 'lake';
      base = height * (setting.ground - 0.035 * far - (standing.has(actor.kind) && roles > 1 ? 0.03 : 0));
      if (standing.has(actor.kind) && roles > 1) depth = 0.55;
      if (onWater) base = height * (standing.has(actor.kind) ? 0.668 : 0.7);
      break;
    }
    case 'water':
      base = stage.horizon + height * (look.place === 'beach' ? 0.07 : 0.125 - 0.06 * far);
      depth = 0.53 - 0.2 * far;
      bob = crestAt(stage, waterRow, slot * width, height * 0.006) * 0.9;
      break;
    case 'air':
      base = height * (0.46 - 0.26 * (many ? chance(seed, 'y') : 0.18 + 0.12 * role)) + high * 0.5;
      depth = 0.4 - 0.2 * far;
      bob = Math.sin(clock * 1.3 + index * 2) * unit * 0.05;
      break;
    case 'under':
      base = height * (0.58 - 0.34 * (many ? chance(seed, 'y') - 0.2 : 0.22 + 0.15 * role)) + high * 0.5;
      depth = 0.5 - 0.2 * far;
      bob = Math.sin(clock * 1.1 + index * 2) * unit * 0.06;
      break;
    case 'space':
      base = height * (0.5 - 0.22 * (many ? chance(seed, 'y') : 0.15 * role)) + high * 0.4;
      depth = 0.5 - 0.2 * far;
      bob = Math.sin(clock * 0.8 + index) * unit * 0.07;
      break;
  }
  if (look.place === 'abstract')
    base = height * 0.5 + high * 0.5 + (many ? (chance(seed, 'y') - 0.5) * height * 0.3 : 0);

  const pose: Pose = { x: slot * width, y: base + bob, angle: 0, scale: 1, lift: 0 };
  const move =
    actor.move ??
    (isRooted(actor.kind)
      ? 'still'
      : habitat === 'ground'
        ? 'walk'
        : habitat === 'air' || habitat === 'space'
          ? 'fly'
          : 'float');
  carry(stage, pose, move, actor, habitat, index, shotPart);
  const holder = actor.kind === 'umbrella' ? look.actors.findIndex(({ kind }) => kind === 'person') : -1;
  const person = look.actors[holder];
  if (person && index < person.count) {
    // Held up by whoever is there to hold it.
    const held = poseOf(stage, person, holder, index);
    pose.x = held.pose.x + held.high * 0.12 * look.heading;
    pose.y = held.pose.y - held.high * 0.5;
    pose.angle = 0.06 * look.heading;
    return { pose, high: held.high * 0.85 * actor.size, depth: held.depth, habitat: 'air' as const, move };
  }
  return { pose, high, depth, habitat, move };
}

/** What a verb does to where somebody is. Distances keep the actor in the frame for the whole shot. */
function carry(
  stage: Stage,
  pose: Pose,
  move: Move,
  actor: Actor,
  habitat: Habitat,
  index: number,
  part: number,
): void {
  const { look, width, height, unit, clock } = stage;
  const across = (part - 0.5) * width * look.heading * look.pace;
  const slow = actorEntries[actor.kind].size > 1.4 ? 0.6 : 1;
  const vertical =
    actor.kind === 'rocket' || actor.kind === 'balloon' || actor.kind === 'toyballoon' || actor.kind === 'lantern';
  switch (move) {
    case 'still':
      break;
    case 'walk':
      pose.x += across * 0.2 * slow;
      break;
    case 'run':
      pose.x += across * 0.46;
      pose.lift = Math.abs(Math.sin(clock * 9 + index)) * unit * 0.05;
      break;
    case 'fly':
      if (actor.kind === 'rocket') {
        pose.x += across * 0.2;
        pose.y -= (part - 0.5) * height * 0.2 * look.pace;
        pose.angle = 0.4 * look.heading;
      } else if (vertical || actor.kind === 'planet' || actor.kind === 'satellite') {
        pose.x += across * 0.1;
        pose.y -= (part - 0.5) * height * 0.035;
        pose.angle = Math.sin(clock * 0.9 + index) * 0.05;
      } else {
        pose.x += across * (actor.kind === 'plane' || actor.kind === 'comet' ? 0.5 : 0.28);
        pose.y += Math.sin(part * Math.PI * 2 + index) * unit * 0.12;
        pose.angle = actor.kind === 'astronaut' ? Math.sin(clock * 0.5) * 0.35 : -0.05 * look.heading;
      }
      break;
    case 'float':
      pose.x += across * 0.16;
      pose.angle = Math.sin(clock * 1.2 + index) * (habitat === 'water' ? 0.045 : 0.08);
      break;
    case 'rise':
      pose.y -= easeInOut(part) * height * 0.3 * Math.min(1.4, look.pace) - height * 0.1;
      pose.lift = easeInOut(part) * unit;
      break;
    case 'fall':
      pose.y += habitat === 'ground' ? -(1 - easeIn(part)) * height * 0.34 : (part - 0.5) * height * 0.3;
      pose.angle = Math.sin(clock * 1.6 + index) * 0.2;
      break;
    case 'jump': {
      const hop = Math.abs(Math.sin(clock * 3.4 + index));
      pose.lift = hop * unit * 0.42;
      pose.x += across * 0.16;
      pose.scale = 1 + (0.5 - Math.min(0.5, hop)) * 0.1;
      break;
    }
    case 'spin':
      pose.angle = clock * 2.4 * look.heading + index;
      break;
    case 'dance':
      pose.angle = Math.sin(clock * 5.2 + index) * 0.16;
      pose.x += Math.sin(clock * 2.6 + index) * unit * 0.16;
      pose.lift = Math.abs(Math.sin(clock * 5.2 + index)) * unit * 0.1;
      break;
    case 'circle':
      pose.x += Math.cos(clock * 1.5 * look.heading + index * 1.7) * width * 0.2;
      pose.y += Math.sin(clock * 1.5 * look.heading + index * 1.7) * unit * (habitat === 'ground' ? 0.12 : 0.45);
      break;
    case 'grow':
      pose.scale = 0.35 + 1.05 * easeInOut(part);
      break;
    case 'shrink':
      pose.scale = 1.4 - 1.1 * easeInOut(part);
      break;
  }
  pose.y -= pose.lift;
}

function part(stage: Stage, actor: Actor, role: number, index: number) {
  const { ctx, palette, look, clock } = stage;
  const { pose, high, depth, habitat, move } = poseOf(stage, actor, role, index);
  const named = actor.colour ? palette.named(actor.colour) : undefined;
  const nature = natural[actor.kind];
  const hue =
    named ??
    (nature ? palette.shown(rgb(nature)) : palette.accent(role + (actor.count > 1 && actor.count < 5 ? index : 0)));
  // Air between: the farther, the paler.
  const colour = mix(hue, palette.haze, habitat === 'air' ? 0.1 : 0.03);
  const stride = move === 'still' ? 0 : move === 'run' ? 1.7 : look.pace;
  return {
    depth,
    y: pose.y,
    draw: () => {
      if ((habitat === 'ground' && look.place !== 'abstract') || look.place === 'room') {
        const thin = 1 - Math.min(0.7, pose.lift / (stage.unit * 1.2));
        oval(
          ctx,
          pose.x,
          pose.y + pose.lift + high * 0.012,
          high * 0.42 * thin,
          high * 0.045 * thin,
          'rgba(10,14,26,0.22)',
        );
      }
      ctx.save();
      ctx.translate(pose.x, pose.y);
      // Turned about its middle.
      ctx.translate(0, -high * 0.5);
      ctx.rotate(pose.angle);
      ctx.translate(0, high * 0.5);
      const face = hasFace(actor.kind) ? look.heading : 1;
      ctx.scale(high * pose.scale * face, high * pose.scale);
      drawKind(penOf(stage, colour, clock, stride, index), actor.kind);
      ctx.restore();
      if (habitat === 'water') drawWake(stage, pose.x, pose.y, high);
    },
  };
}

function drawWake(stage: Stage, x: number, y: number, high: number): void {
  const { ctx, palette, clock } = stage;
  const foam = mix(palette.water[0], [255, 255, 255], palette.night ? 0.15 : 0.5)
    .map(Math.round)
    .join(',');
  for (const row of [0, 1, 2]) {
    const wide = high * (0.55 + 0.16 * row + 0.03 * Math.sin(clock * 2 + row));
    oval(ctx, x, y + high * (0.05 + 0.05 * row), wide, high * 0.013, `rgba(${foam},${String(0.6 - row * 0.17)})`);
  }
}

export function easeInOut(part: number): number {
  return part < 0.5 ? 4 * part ** 3 : 1 - (-2 * part + 2) ** 3 / 2;
}

function easeIn(part: number): number {
  return Math.min(1, part * 1.25) ** 2;
}
