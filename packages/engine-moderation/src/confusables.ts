/**
 * Letters of other scripts that look like Latin ones, after NFKD and lower case. Left: the Latin letters; right: their
 * lookalikes.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  a: 'аαɑᴀ',
  b: 'ьвβʙƅ',
  c: 'сϲᴄ¢ҫ',
  d: 'ԁժᴅđɖ',
  e: 'еεєҽᴇɛə',
  f: 'ғƒꜰ',
  g: 'ɡցɢԍ',
  h: 'һнհʜħ',
  i: 'іιıɪӏ',
  j: 'јϳᴊ',
  k: 'кκᴋҝ',
  l: 'ʟłⅼǀ',
  m: 'мᴍ',
  n: 'ոռηпɴŋ',
  o: 'оοσօᴏøө',
  p: 'рρᴘ',
  q: 'ԛգ',
  r: 'гʀᴦ',
  s: 'ѕꜱʂ',
  t: 'тτᴛŧ',
  u: 'υսᴜцʉ',
  v: 'ѵνᴠ',
  w: 'ԝшωᴡщ',
  x: 'хχ×',
  y: 'уγүʏ',
  z: 'ᴢʐ',
  "'": '’‘ʼ`´′',
  '"': '“”„«»″',
  '-': '‐‑‒–—−',
};

const latinOf = new Map<string, string>();
for (const [latin, others] of Object.entries(lookAlikes)) for (const other of others) latinOf.set(other, latin);
// Letters in circles, squares and flags, which NFKD keeps.
for (const first of [0x1f150, 0x1f170, 0x1f1e6])
  for (let letter = 0; letter < 26; letter++)
    latinOf.set(String.fromCodePoint(first + letter), String.fromCharCode(97 + letter));

/** Folds lookalikes to lower case ASCII. Words entirely in another script are unchanged. */
export function foldConfusables(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\p{M}+/gu, '');
  // In text of another script, a word that looks Latin belongs to that script.
  const elsewhere = plain.split(/\s+/).some((word) => !/[a-z]/.test(word) && isForeign(foldWord(word)));
  return plain.replace(/\S+/g, (word) => {
    const folded = foldWord(word);
    return /[a-z]/.test(word) || !(elsewhere || isForeign(folded)) ? folded : word;
  });
}

function foldWord(word: string): string {
  if (/^[\0-\x7f]*$/.test(word)) return word;
  let folded = '';
  for (const character of word) folded += latinOf.get(character) ?? character;
  return folded;
}

/** Whether letters remain that do not look like Latin ones. */
function isForeign(folded: string): boolean {
  return /[^\0-\x7f]/.test(folded) && /(?=[^\0-\x7f])\p{L}/u.test(folded);
}
