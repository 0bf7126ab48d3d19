import type { Random } from './random.ts';
import { endOfText, textTokens, vocabulary } from './tokenizer.ts';

/** The probability that is spread evenly over the whole vocabulary at each step. */
export const floorMass = 1e-7;
const floorLog = Math.log(floorMass / vocabulary);

/** A token and the natural logarithm of its probability. */
export interface Scored {
  readonly id: number;
  readonly logprob: number;
}

/** What a grammar lets through at one step. To ask for a token is cheap; to count or to list them all may not be. */
export interface Allowance {
  /** May this token, or the end of the text, come next? */
  has(id: number): boolean;
  /** How many tokens may come next, the end of the text among them. */
  count(): number;
  /** The text token at a place among those that may come next, in the order of their ids. */
  nth(place: number): number | undefined;
}

/** How a request bends the distribution. */
export interface Sampling {
  readonly temperature: number;
  readonly topP: number;
  readonly frequencyPenalty: number;
  readonly presencePenalty: number;
  /** Token id and bias, ids all in the vocabulary. */
  readonly bias: readonly (readonly [id: number, bias: number])[];
}

/**
 * The next-token distribution of one step over the whole vocabulary, kept sparse: some tokens have a probability of their
 * own, all others share the floor evenly and are never written out.
 *
 * Use: `clear`, `add` what the model expects (shares of 1 in all), `bend` once, then `sample`, `logprob` and `top`. Under a
 * grammar all that it does not allow has no probability, and what is left is scaled to 1.
 * One object serves all steps of all choices, one after the other, so nothing is allocated on the way.
 */
export class Distribution {
  #size = 0;
  #ids = new Int32Array(256);
  /** Probability at first; the logit (a log probability, bias and penalties added) after `bend`. */
  #values = new Float64Array(256);
  #weights = new Float64Array(256);
  /** By token: its place and 1, or 0. An array of 0.8 MB, because a Map took half of the time of a reply. */
  readonly #places = new Int32Array(endOfText + 1);
  #bent = false;
  /** The own tokens by id, made when first asked for. */
  #sorted: Int32Array | undefined;
  /** Undefined: all is allowed. */
  #allowance: Allowance | undefined;
  /** Number of tokens that the floor alone holds; undefined until it has to be known. */
  #rest: number | undefined;

  clear(): void {
    for (let i = 0; i < this.#size; i++) this.#places[this.#id(i)] = 0;
    this.#size = 0;
    this.#sorted = undefined;
    this.#allowance = undefined;
    this.#rest = undefined;
    this.#bent = false;
  }

  /** Adds to a token's probability, or with 0 gives it a place of its own. */
  add(id: number, p: number): void {
    const place = this.#place(id);
    if (place >= 0) {
      this.#values[place] = this.#at(place) + p;
      return;
    }
    if (this.#size === this.#ids.length) this.#grow();
    this.#places[id] = this.#size + 1;
    this.#ids[this.#size] = id;
    this.#sorted = undefined;
    this.#values[this.#size] = p;
    this.#size++;
  }

  /**
   * Drops what is not allowed, mixes in the floor and takes logarithms; then bias, and penalties for what this choice has said
   * (`said`: token to count).
   */
  bend(sampling: Sampling, said: ReadonlyMap<number, number>, allowance?: Allowance): void {
    const { bias, frequencyPenalty, presencePenalty } = sampling;
    const penalised = frequencyPenalty !== 0 || presencePenalty !== 0;
    for (const [id] of bias) this.add(id, 0);
    if (penalised) for (const id of said.keys()) this.add(id, 0);
    if (allowance) this.#drop(allowance);
    for (let i = 0; i < this.#size; i++)
      this.#values[i] = Math.log(this.#at(i) * (1 - floorMass) + floorMass / vocabulary);
    for (const [id, amount] of bias) this.#shift(id, amount);
    if (penalised) for (const [id, count] of said) this.#shift(id, -(count * frequencyPenalty + presencePenalty));
    this.#bent = true;
  }

  /** Draws a token: temperature first, then the nucleus of `top_p`. Temperature 0 is the likeliest token, ties to the lower id. */
  sample({ temperature, topP }: Sampling, random: Random): number {
    this.#mustBeBent();
    if (temperature === 0) return this.#likeliest();
    let highest = floorLog;
    for (let i = 0; i < this.#size; i++) highest = Math.max(highest, this.#at(i));
    const floor = Math.exp((floorLog - highest) / temperature);
    let own = 0;
    for (let i = 0; i < this.#size; i++) {
      const weight =
        temperature === 1 ? Math.exp(this.#at(i) - highest) : Math.exp((this.#at(i) - highest) / temperature);
      this.#weights[i] = weight;
      own += weight;
    }
    const chance = random();
    if (topP === 1) {
      // Mostly the same token is drawn whether the floor holds no others or all there are: then they need not be counted.
      const sure = this.#allowance && this.#drawOwn(chance * own);
      if (sure !== undefined && sure === this.#drawOwn(chance * (own + floor * vocabulary))) return this.#id(sure);
    }
    let total = own + floor * this.#others;
    let others = this.#others;
    if (topP < 1) {
      const nucleus = this.#nucleus(floor, total * topP);
      total = nucleus.total;
      others = nucleus.others;
    }
    const place = this.#drawOwn(chance * total);
    if (place !== undefined) return this.#id(place);
    // What is left is the floor's, or a rounding error.
    let left = chance * total;
    let last = -1;
    for (let i = 0; i < this.#size; i++) {
      const weight = this.#weights[i] ?? 0;
      if (weight === 0) continue;
      last = i;
      left -= weight;
    }
    if (others > 0 && floor > 0) return this.#other(Math.min(others - 1, Math.max(0, Math.floor(left / floor))));
    return last === -1 ? this.#likeliest() : this.#id(last);
  }

  /** The place that so much weight leads to; undefined past those of their own. */
  #drawOwn(weight: number): number | undefined {
    let left = weight;
    for (let i = 0; i < this.#size; i++) {
      left -= this.#weights[i] ?? 0;
      if (left < 0) return i;
    }
    return undefined;
  }

  #drop(allowance: Allowance): void {
    let kept = 0;
    for (let i = 0; i < this.#size; i++) {
      const id = this.#id(i);
      if (!allowance.has(id)) {
        this.#places[id] = 0;
        continue;
      }
      this.#places[id] = kept + 1;
      this.#ids[kept] = id;
      this.#values[kept] = this.#at(i);
      kept++;
    }
    this.#size = kept;
    this.#allowance = allowance;
  }

  /** The `count` likeliest tokens, likeliest first, at temperature 1 (so what `bend` left, before temperature and `top_p`). */
  top(count: number): Scored[] {
    const scale = this.#logTotal();
    const order = this.#order();
    const out: Scored[] = [];
    let nextOther = 0;
    let taken = 0;
    const most = Math.min(count, this.#size + this.#others);
    while (out.length < most) {
      const place = order[taken];
      const value = place === undefined ? -Infinity : this.#at(place);
      if (place !== undefined && (value >= floorLog || nextOther >= this.#others)) {
        out.push({ id: this.#id(place), logprob: value - scale });
        taken++;
      } else out.push({ id: this.#other(nextOther++), logprob: floorLog - scale });
    }
    return out;
  }

  logprob(id: number): number {
    const place = this.#place(id);
    return (place < 0 ? floorLog : this.#at(place)) - this.#logTotal();
  }

  get #others(): number {
    return (this.#rest ??= (this.#allowance?.count() ?? vocabulary) - this.#size);
  }

  #logTotal(): number {
    this.#mustBeBent();
    let highest = floorLog;
    for (let i = 0; i < this.#size; i++) highest = Math.max(highest, this.#at(i));
    let total = this.#others * Math.exp(floorLog - highest);
    for (let i = 0; i < this.#size; i++) total += Math.exp(this.#at(i) - highest);
    return highest + Math.log(total);
  }

  #likeliest(): number {
    let best = -1;
    for (let i = 0; i < this.#size; i++) {
      if (
        best === -1 ||
        this.#at(i) > this.#at(best) ||
        (this.#at(i) === this.#at(best) && this.#id(i) < this.#id(best))
      )
        best = i;
    }
    if ((best === -1 || this.#at(best) < floorLog) && this.#others > 0) return this.#other(0);
    return this.#id(best);
  }

  /** Sets to 0 the weights outside the smallest set of likeliest tokens that holds `mass`; says what is left. */
  #nucleus(floor: number, mass: number): { total: number; others: number } {
    let total = 0;
    let others = 0;
    let full = false;
    let floorDone = false;
    for (const place of this.#order()) {
      const weight = this.#weights[place] ?? 0;
      if (!floorDone && weight < floor) {
        floorDone = true;
        if (!full) {
          others = Math.min(this.#others, Math.max(1, Math.ceil((mass - total) / floor)));
          total += others * floor;
          full = total >= mass;
        }
      }
      if (full) this.#weights[place] = 0;
      else {
        total += weight;
        full = total >= mass;
      }
    }
    if (!full && !floorDone && floor > 0) {
      others = Math.min(this.#others, Math.max(1, Math.ceil((mass - total) / floor)));
      total += others * floor;
    }
    return { total, others };
  }

  /** Places of the tokens of their own, likeliest first. */
  #order(): number[] {
    return Array.from({ length: this.#size }, (_, i) => i).sort(
      (a, b) => this.#at(b) - this.#at(a) || this.#id(a) - this.#id(b),
    );
  }

  /** The token at `rank` among those that only the floor holds, in the order of their ids. */
  #other(rank: number): number {
    if (this.#allowance) return this.#otherAllowed(rank, this.#allowance);
    let id = rank;
    // Each own token at or below shifts the answer up by one; ids are few, and this path is rare.
    this.#sorted ??= this.#ids.slice(0, this.#size).sort();
    for (const own of this.#sorted) {
      const dense = own === endOfText ? textTokens : own;
      if (dense > id) break;
      id++;
    }
    return id >= textTokens ? endOfText : id;
  }

  /** The place in the order moves up by the own tokens before it, until none is left out. */
  #otherAllowed(rank: number, allowance: Allowance): number {
    let before = 0;
    for (;;) {
      const id = allowance.nth(rank + before);
      if (id === undefined) return endOfText;
      let own = 0;
      for (let i = 0; i < this.#size; i++) if (this.#id(i) <= id) own++;
      if (own === before) return id;
      before = own;
    }
  }

  #shift(id: number, amount: number): void {
    const place = this.#place(id);
    if (place >= 0) this.#values[place] = this.#at(place) + amount;
  }

  #place(id: number): number {
    return (this.#places[id] ?? 0) - 1;
  }

  #at(place: number): number {
    return this.#values[place] ?? 0;
  }

  #id(place: number): number {
    return this.#ids[place] ?? 0;
  }

  #mustBeBent(): void {
    if (!this.#bent) throw new Error('bend the distribution before asking it');
  }

  #grow(): void {
    const size = this.#ids.length * 2;
    const [ids, values] = [new Int32Array(size), new Float64Array(size)];
    ids.set(this.#ids);
    values.set(this.#values);
    [this.#ids, this.#values, this.#weights] = [ids, values, new Float64Array(size)];
  }
}
