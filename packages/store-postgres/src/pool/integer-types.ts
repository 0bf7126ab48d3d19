import { maxCount } from '@modelwire/adapter-kit/internal';
import pg from 'pg';

/** Reads `int8` as a number; pg returns text. Our values are far below 2^53; one that is not would lose precision, so it is limited. */
export const integerTypes = new pg.TypeOverrides();
integerTypes.setTypeParser(pg.types.builtins.INT8, (text) => Math.max(-maxCount, Math.min(Number(text), maxCount)));
