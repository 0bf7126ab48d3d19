import type { Parsed, TextFields } from '@modelwire/schema';

/** Reads a URL's query by the contract. Most have none, so that answer is made once. */
export function queryReader<Query>(parse: (fields: TextFields) => Parsed<Query>): (url: string) => Parsed<Query> {
  let none: Parsed<Query> | undefined;
  return (url) => {
    const mark = url.indexOf('?');
    return mark === -1 ? (none ??= parse([])) : parse(new URLSearchParams(url.slice(mark + 1)));
  };
}
