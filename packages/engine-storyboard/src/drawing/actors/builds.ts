/** What tells one four-legged animal from another; parts of its height. */
export interface Build {
  readonly leg: number;
  readonly body: number;
  readonly thick: number;
  readonly neck: number;
  /** How far the head stands forward. */
  readonly reach: number;
  readonly head: number;
  readonly snout: number;
  readonly limb: number;
  readonly tail: 'long' | 'bushy' | 'short' | 'tuft' | 'hair';
  readonly ears: 'pointed' | 'floppy' | 'round' | 'long' | 'big' | 'small';
  readonly extra?: 'mane' | 'antlers' | 'horns' | 'trunk' | 'hump' | 'wool' | 'horse' | 'spots';
  readonly pale?: boolean;
}

export const builds = {
  cat: {
    leg: 0.26,
    body: 0.56,
    thick: 0.3,
    neck: 0.2,
    reach: 0.06,
    head: 0.19,
    snout: 0.05,
    limb: 0.075,
    tail: 'long',
    ears: 'pointed',
  },
  dog: {
    leg: 0.34,
    body: 0.56,
    thick: 0.28,
    neck: 0.24,
    reach: 0.1,
    head: 0.16,
    snout: 0.16,
    limb: 0.08,
    tail: 'short',
    ears: 'floppy',
  },
  fox: {
    leg: 0.3,
    body: 0.58,
    thick: 0.26,
    neck: 0.22,
    reach: 0.1,
    head: 0.16,
    snout: 0.15,
    limb: 0.065,
    tail: 'bushy',
    ears: 'pointed',
    pale: true,
  },
  horse: {
    leg: 0.46,
    body: 0.62,
    thick: 0.27,
    neck: 0.27,
    reach: 0.16,
    head: 0.115,
    snout: 0.17,
    limb: 0.065,
    tail: 'hair',
    ears: 'small',
    extra: 'horse',
  },
  deer: {
    leg: 0.44,
    body: 0.44,
    thick: 0.2,
    neck: 0.28,
    reach: 0.12,
    head: 0.085,
    snout: 0.13,
    limb: 0.045,
    tail: 'short',
    ears: 'small',
    extra: 'antlers',
  },
  cow: {
    leg: 0.36,
    body: 0.74,
    thick: 0.38,
    neck: 0.14,
    reach: 0.16,
    head: 0.15,
    snout: 0.17,
    limb: 0.085,
    tail: 'tuft',
    ears: 'small',
    extra: 'spots',
  },
  sheep: {
    leg: 0.26,
    body: 0.56,
    thick: 0.42,
    neck: 0.16,
    reach: 0.16,
    head: 0.13,
    snout: 0.13,
    limb: 0.07,
    tail: 'short',
    ears: 'floppy',
    extra: 'wool',
  },
  bear: {
    leg: 0.3,
    body: 0.76,
    thick: 0.5,
    neck: 0.12,
    reach: 0.15,
    head: 0.19,
    snout: 0.13,
    limb: 0.15,
    tail: 'short',
    ears: 'round',
  },
  lion: {
    leg: 0.34,
    body: 0.66,
    thick: 0.32,
    neck: 0.2,
    reach: 0.12,
    head: 0.17,
    snout: 0.12,
    limb: 0.09,
    tail: 'tuft',
    ears: 'round',
    extra: 'mane',
  },
  elephant: {
    leg: 0.38,
    body: 0.72,
    thick: 0.48,
    neck: 0.14,
    reach: 0.18,
    head: 0.2,
    snout: 0.04,
    limb: 0.14,
    tail: 'tuft',
    ears: 'big',
    extra: 'trunk',
  },
  camel: {
    leg: 0.46,
    body: 0.52,
    thick: 0.24,
    neck: 0.3,
    reach: 0.24,
    head: 0.085,
    snout: 0.15,
    limb: 0.055,
    tail: 'tuft',
    ears: 'small',
    extra: 'hump',
  },
  giraffe: {
    leg: 0.4,
    body: 0.34,
    thick: 0.18,
    neck: 0.42,
    reach: 0.14,
    head: 0.06,
    snout: 0.11,
    limb: 0.042,
    tail: 'tuft',
    ears: 'small',
    extra: 'spots',
  },
  rabbit: {
    leg: 0.16,
    body: 0.54,
    thick: 0.4,
    neck: 0.2,
    reach: 0.06,
    head: 0.2,
    snout: 0.06,
    limb: 0.1,
    tail: 'short',
    ears: 'long',
  },
} as const satisfies Readonly<Record<string, Build>>;

export type FourLegged = keyof typeof builds;

export function isFourLegged(kind: string): kind is FourLegged {
  return Object.hasOwn(builds, kind);
}
