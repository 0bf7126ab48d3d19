import { Metric } from './metric.ts';

export class CounterSeries {
  value = 0;

  add(count = 1): void {
    this.value += count;
  }
}

/** Only rises. Its name ends in `_total`. */
export class Counter<Label extends string = string> extends Metric<Label, CounterSeries> {
  protected override readonly type = 'counter';

  protected override create(): CounterSeries {
    return new CounterSeries();
  }

  protected override valuesOf({ value }: CounterSeries): readonly number[] {
    return [value];
  }
}
