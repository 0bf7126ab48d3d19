export { validator } from './validator.ts';
export type { InvalidField, Validator } from '../validation.ts';
