/** The words of a name such as `getWeather` or `send_email`, in lower case. */
export function wordsOfName(name: string): string[] {
  return wordsOf(name.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2'));
}

/** The words of a text, in lower case. */
export function wordsOf(text: string): string[] {
  return (
    text
      .slice(0, 16_000)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** A word without its ending: the same for `cities` and `city`, `booked` and `book`. */
export function stem(word: string): string {
  const plain = word
    .replace(/ies$/, 'y')
    .replace(/(?:ing|ed|es|ion|ions|er|s)$/, '')
    .replace(/e$/, '');
  return (plain.length < 3 ? word : plain).replace(/([bdgklmnprt])\1$/, '$1');
}

const numberWords = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const numberPattern = new RegExp(
  String.raw`(?:(\p{L}+)[\s:=]+)?(?<![\p{L}\p{N}.])([-−]?\d{1,15}(?:,\d{3})*(?:\.\d{1,12})?|${numberWords.join('|')})(?!\p{N})(?:[\s-]*([\p{L}%€$£]+))?`,
  'giu',
);

/** The numbers in a text, in digits or as words, and the stems of the words next to them. `years` is a synonym of `age`. */
export function numbersIn(text: string) {
  return Array.from(text.matchAll(numberPattern), ([, before = '', digits = '', after = '']) => {
    const around = wordsOf(`${before} ${after} ${/^years?$/i.test(after) ? 'age' : ''}`).map(stem);
    return { value: toNumber(digits), around };
  });
}

/** NaN for texts that are neither digits nor a number word up to twelve. */
export function toNumber(text: string): number {
  const place = numberWords.indexOf(text.toLowerCase());
  return place === -1 ? Number(text.replace('−', '-').replaceAll(',', '')) : place;
}

export const quotations =
  /"([^"\n]{1,500})"|“([^”\n]{1,500})”|`([^`\n]{1,500})`|(?<![\p{L}\p{N}])'([^'\n]{1,300})'(?![\p{L}\p{N}])/gu;

/** The texts between quotation marks. */
export function quotedIn(text: string): string[] {
  return Array.from(text.matchAll(quotations), ([, ...found]: (string | undefined)[]) => found.find(Boolean) ?? '');
}

const capitalised = String.raw`\p{Lu}[\p{L}\p{N}'’.-]*[\p{L}\p{N}]|\p{Lu}`;
// Several capitalised words, and the state behind a place (`San Francisco, CA`); or a word of a script without capitals.
const namePattern = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:${capitalised})(?: (?:(?:de|of|van|von|la|le|del|di|the) )?(?:${capitalised}))*(?:(?<=\p{Ll}), \p{Lu}{2,3}(?![\p{L}\p{N}]))?|\p{Lo}[\p{Lo}\p{M}\p{Lm}]*)`,
  'gu',
);
/** Words that have a capital at the beginning of a sentence or always, and are no names. */
const notNames =
  /^(?:What|Which|Who|Where|When|Why|How|Is|Are|Do|Does|Did|Can|Could|Would|Will|Should|Please|Tell|Give|Show|Find|Get|Look|Search|Check|Send|Book|Create|Make|Add|Set|Call|Use|Write|Translate|Convert|Calculate|Compute|Compare|List|Plan|Schedule|Remind|Turn|Play|Open|Order|Buy|The|A|An|I|I'm|My|We|You|He|She|It|They|This|That|These|Those|In|On|At|For|From|To|And|Or|But|If|Then|Also|First|Extract|Return|Answer|Summari[sz]e|Describe|Explain|Name|Generate|Let|Let's|Hello|Hi|Hey|Yes|No|Not|JSON)$/;
/** The first word of a sentence is more likely a verb where one of these follows: `Weigh the parcel`. */
const afterVerb = /^\s+(?:the|a|an|my|our|your|this|that|all|some|\d+)\b/;

/** Names: capitalised words that do not merely begin a sentence. */
export function namesIn(text: string): string[] {
  return Array.from(text.matchAll(namePattern)).flatMap(({ 0: found, index }) => {
    const words = found.split(' ');
    const isFirst = /(?:^|[.!?\n])\s*$/.test(text.slice(Math.max(0, index - 3), index));
    if (isFirst && words.length === 1 && afterVerb.test(text.slice(index + found.length))) return [];
    while (words[0] !== undefined && notNames.test(words[0])) words.shift();
    const name = words.join(' ').replace(/['’]s$|\.$/, '');
    return name === '' ? [] : [name];
  });
}

/** What follows one of some words: up to the end of the phrase, or with `isLong` up to the end of the clause. */
export function after(text: string, words: string, isLong = false): string[] {
  const phraseEnds = 'and|but|or|with|using|by|from|to|into|in|for|on|at|as|between|please|tomorrow|today|is|are';
  const ends = isLong ? 'then|using|please' : phraseEnds;
  const pattern = String.raw`\b(?:${words})\s+(?:the\s+)?(\S.{0,120}?)(?=\s*(?:[,;:.!?\n]|$|\b(?:${ends})\b))`;
  return Array.from(text.matchAll(new RegExp(pattern, 'giu')), ([, found = '']) => bare(found));
}

/** Without the quotation marks and the punctuation around it. */
export function bare(text: string): string {
  return text
    .trim()
    .replace(/^["'“‘`(]+|["'”’`).!?,;:]+$/g, '')
    .trim();
}

/** Everything behind the first colon; empty without one. */
export function textAfterColon(text: string): string {
  return /:\s+(\S[\s\S]*)$/.exec(text)?.[1]?.trim() ?? '';
}

/** What a colon and commas list: `flour, milk and eggs`. */
export function listedIn(text: string): string[] {
  const items = /:\s*([^\n]{3,600})$/m.exec(text)?.[1]?.split(/\s*,\s*(?:and\s+)?|\s+and\s+/) ?? [];
  return items.length > 1 ? items.map(bare) : [];
}

export const emails = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g;
export const urls = /https?:\/\/[^\s"'<>)]{1,500}[^\s"'<>).,;!?]/g;
export const dates =
  /\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}:\d{2}\b|\b(?:today|tomorrow|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/gi;
/** Sums; a date is none. */
export const expressions = /(?!\d+-\d+-\d)[-(]*(?<!\d-?)\d[\d.]*(?:\s*(?:[-+*/^×÷%]|\*\*)\s*[-(]*\d[\d.]*\)*)+/g;

export function all(pattern: RegExp, text: string): string[] {
  return Array.from(text.matchAll(pattern), ([found]) => found);
}
