/** Figures and small number words. */
const figures: Readonly<Record<string, number>> = {
  zero: 0, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, eleven: 11, twelve: 12, dozen: 12, twenty: 20, hundred: 100,
}; // prettier-ignore

/** A number in a text, with the words that stand next to it. */
export interface Figure {
  readonly value: number;
  readonly before: string;
  readonly behind: string;
}

const figurePattern = new RegExp(
  `(?:(\\p{L}+)[\\s:=]+)?(?<![\\p{L}\\p{N}.])([-−]?\\d{1,15}(?:,\\d{3})*(?:\\.\\d{1,12})?|${Object.keys(figures).join('|')})(?![\\p{N}])(?:[\\s-]*([\\p{L}%€$£]+))?`,
  'giu',
);

export function figuresIn(text: string): Figure[] {
  return Array.from(text.matchAll(figurePattern), ([, before = '', figure = '', behind = '']) => ({
    value: figures[figure.toLowerCase()] ?? Number(figure.replace('−', '-').replaceAll(',', '')),
    before: before.toLowerCase(),
    behind: behind.toLowerCase(),
  }));
}

/** What stands between quotation marks. */
export function quotedIn(text: string): string[] {
  return Array.from(
    text.matchAll(
      /"([^"\n]{1,500})"|“([^”\n]{1,500})”|`([^`\n]{1,500})`|(?<![\p{L}\p{N}])'([^'\n]{1,300})'(?![\p{L}\p{N}])/gu,
    ),
    ([, ...found]: (string | undefined)[]) => found.find((one) => one !== undefined) ?? '',
  );
}

const capital = String.raw`\p{Lu}[\p{L}\p{N}'’.-]*[\p{L}\p{N}]|\p{Lu}`;
const name = String.raw`(?:${capital})(?: (?:(?:de|of|van|von|la|le|del|di|the) )?(?:${capital}))*`;
/** The state or country behind a place: `, CA` in `San Francisco, CA`. */
const region = String.raw`(?<=\p{Ll}), \p{Lu}{2,3}(?![\p{L}\p{N}])`;
/** A run of a script without capitals, such as Chinese or Arabic: every word of it may be a name. */
const caseless = String.raw`\p{Lo}[\p{Lo}\p{M}\p{Lm}]*`;
const namePattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${name}(?:${region})?|${caseless})`, 'gu');
/** Words that stand first in a sentence and name nothing. */
const openings =
  /^(?:What|Which|Who|Where|When|Why|How|Is|Are|Do|Does|Did|Can|Could|Would|Will|Should|Please|Tell|Give|Show|Find|Get|Look|Search|Check|Send|Book|Create|Make|Add|Set|Call|Use|Write|Translate|Convert|Calculate|Compute|Compare|List|Plan|Schedule|Remind|Turn|Play|Open|Order|Buy|The|A|An|I|I'm|My|We|You|He|She|It|They|This|That|These|Those|In|On|At|For|From|To|And|Or|But|If|Then|Also|First|Extract|Return|Answer|Summarise|Summarize|Describe|Explain|Name|Generate|Let|Let's|Hello|Hi|Hey|Yes|No|Not|JSON|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October|November|December)$/;

/** Names: words with a capital that do not just begin a sentence. */
export function namesIn(text: string): string[] {
  const out: string[] = [];
  for (const { 0: found, index } of text.matchAll(namePattern)) {
    const words = found.split(' ');
    const first = words[0] ?? '';
    const begins = index === 0 || /[.!?\n]\s*$/.test(text.slice(Math.max(0, index - 3), index));
    if (begins && words.length === 1 && isObject.test(text.slice(index + first.length))) continue;
    while (words[0] !== undefined && openings.test(words[0])) words.shift();
    const clean = words
      .join(' ')
      .replace(/['’]s$/, '')
      .replace(/\.$/, '');
    if (clean !== '') out.push(clean);
  }
  return out;
}

/** The first word of a sentence with one of these behind it is more likely a verb than a name: `Weigh the parcel`. */
const isObject = /^\s+(?:the|a|an|my|our|your|this|that|all|some|\d+)\b/;

const clauseEnd = String.raw`(?=\s*(?:[,;:.!?\n]|$|\b(?:and|then|but|or|with|using|by|from|to|into|in|for|on|at|as|between|please|tomorrow|today|tonight|is|are)\b))`;

/** The quotation that directly follows one of some words. */
export function quotedAfter(text: string, words: readonly string[]): string[] {
  return quotedIn(text).filter((quoted) => {
    const before = text.slice(0, text.indexOf(quoted) - 1).trimEnd();
    return words.some((word) => before.toLowerCase().endsWith(word.toLowerCase()));
  });
}

/** What follows one of some words, up to the end of the phrase. */
export function after(text: string, words: readonly string[]): string[] {
  const pattern = new RegExp(`\\b(?:${words.join('|')})\\s+(?:the\\s+)?(\\S.{0,80}?)${clauseEnd}`, 'giu');
  return Array.from(text.matchAll(pattern), ([, found = '']) => bare(found)).filter((found) => found !== '');
}

/** The same up to a comma, the end of the sentence or a wish about how. */
export function longAfter(text: string, words: readonly string[]): string[] {
  const pattern = new RegExp(
    `\\b(?:${words.join('|')})\\s+(?:the\\s+)?(\\S.{0,120}?)(?=\\s*(?:[,;:.!?\\n]|$|\\b(?:then|using|please)\\b))`,
    'giu',
  );
  return Array.from(text.matchAll(pattern), ([, found = '']) => bare(found)).filter((found) => found !== '');
}

/** Without quotation marks and a full stop around it. */
export function bare(text: string): string {
  return text
    .trim()
    .replace(/^["'“‘`(]+|["'”’`).!?,;:]+$/g, '')
    .trim();
}

/** The members of `a, b and c`. */
export function members(text: string): string[] {
  return text
    .split(/\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or|&)\s+/i)
    .map(bare)
    .filter((one) => one !== '' && one.length <= 80);
}

/** Everything behind the first colon, or undefined. */
export function behindColon(text: string): string | undefined {
  const found = /:\s+(\S[\s\S]*)$/.exec(text)?.[1]?.trim();
  return found === undefined || found === '' ? undefined : found;
}

export const emailPattern = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g;
export const urlPattern = /https?:\/\/[^\s"'<>)]{1,500}[^\s"'<>).,;!?]/g;
export const datePattern = /\b\d{4}-\d{2}-\d{2}\b/g;
export const timePattern = /\b\d{1,2}:\d{2}(?::\d{2})?\s?(?:am|pm)?\b|\b\d{1,2}\s?(?:am|pm)\b/gi;
export const dayPattern =
  /\b(?:today|tomorrow|tonight|yesterday|(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:january|february|march|april|may|june|july|august|september|october|november|december))\b/gi;
export const unitPattern =
  /\b(?:celsius|fahrenheit|kelvin|metric|imperial|kilomet(?:er|re)s?|km|miles?|met(?:er|re)s?|feet|kilograms?|kg|pounds?|euros?|dollars?|usd|eur|gbp|json|csv|xml|pdf)\b/gi;
export const languagePattern =
  /\b(?:English|French|German|Spanish|Italian|Portuguese|Dutch|Polish|Russian|Greek|Turkish|Arabic|Hindi|Chinese|Japanese|Korean|Latin|Swedish|Danish|Norwegian|Finnish|Czech|Hungarian|Python|JavaScript|TypeScript|Java|Rust|Go|Ruby)\b/g;
export const idPattern = /(?<![\p{L}\p{N}])#?(?:[\p{L}_-]*\d[\p{L}\p{N}_-]*|\p{Lu}{2,6})(?![\p{L}\p{N}])/gu;
/** Sums; a date is none. */
export const expressionPattern = /(?!\d+-\d+-\d)[-(]*(?<!\d-?)\d[\d.]*(?:\s*(?:[-+*/^×÷%]|\*\*)\s*[-(]*\d[\d.]*\)*)+/g;

export function all(pattern: RegExp, text: string): string[] {
  return Array.from(text.matchAll(pattern), ([found]) => found);
}
