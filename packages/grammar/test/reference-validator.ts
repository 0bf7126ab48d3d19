import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** The exact decimal of a JSON number. */
function decimal(value: number): { units: bigint; scale: number } {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction);
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
}

/**
 * Creates an independent validator. `multipleOf` is validated with decimals, because Ajv divides doubles, by which 29719.6 is not a
 * multiple of 0.001.
 */
export function createValidator(options: { unevaluated?: boolean } = {}): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, logger: false });
  // Set here, because the constructor overwrites the option.
  ajv.opts.unevaluated = options.unevaluated ?? true;
  addFormats.default(ajv);
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    validate: (step: number, value: number) => {
      const [a, b] = [decimal(value), decimal(step)];
      return (a.units * 10n ** BigInt(b.scale)) % (b.units * 10n ** BigInt(a.scale)) === 0n;
    },
  });
  return ajv;
}
