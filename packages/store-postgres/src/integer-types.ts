import pg from 'pg';

/** Reads `int8` as a number; pg returns text. All our values are far below 2^53. */
export const integerTypes = new pg.TypeOverrides();
integerTypes.setTypeParser(pg.types.builtins.INT8, Number);
