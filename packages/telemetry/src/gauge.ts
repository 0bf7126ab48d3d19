import { line, Metric } from './metric.ts';

export class GaugeSeries {
  value = 0;

  set(value: number): void {
    this.value = value;
  }
}

/** Rises and falls. */
export class Gauge<Label extends string = string> extends Metric<Label, GaugeSeries> {
  protected override readonly type = 'gauge';

  protected override create(): GaugeSeries {
    return new GaugeSeries();
  }

  protected override lines(name: string, labels: string, { value }: GaugeSeries): string {
    return line(name, labels, value);
  }
}
