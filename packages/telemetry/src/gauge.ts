import { Metric } from './metric.ts';
import type { MetricOptions } from './metric.ts';
import type { GaugeMerge, MetricSnapshot } from './metric-snapshot.ts';

export class GaugeSeries {
  value = 0;

  set(value: number): void {
    this.value = value;
  }
}

/** A value that can increase and decrease. */
export class Gauge<Label extends string = string> extends Metric<Label, GaugeSeries> {
  protected override readonly type = 'gauge';
  readonly #merge: GaugeMerge;

  /** @param init.merge How the values of several processes are merged. Default `sum`. */
  constructor({ merge = 'sum', ...init }: MetricOptions<Label> & { readonly merge?: GaugeMerge | undefined }) {
    super(init);
    this.#merge = merge;
  }

  protected override details(): Pick<MetricSnapshot, 'merge'> {
    return { merge: this.#merge };
  }

  protected override create(): GaugeSeries {
    return new GaugeSeries();
  }

  protected override valuesOf({ value }: GaugeSeries): readonly number[] {
    return [value];
  }
}
