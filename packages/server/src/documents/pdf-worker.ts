/** What the thread is given. */
export interface PdfTask {
  readonly bytes: Uint8Array;
  /** Path of the library. */
  readonly library: string;
  readonly maxPages: number;
  readonly maxCharacters: number;
}

/** What the thread answers. */
export type PdfAnswer =
  | { readonly text: string }
  | { readonly problem: 'pages'; readonly pages: number }
  | { readonly problem: 'characters' | 'password' | 'invalid' };

/** The thread's program: a text, not a file, so that it runs the same from source and from a bundle. */
export const pdfWorkerProgram = `
const { parentPort, workerData } = require('node:worker_threads');
const { bytes, library, maxPages, maxCharacters } = workerData;

async function read() {
  const { getDocumentProxy } = require(library);
  // Images are not needed: none is decoded.
  const document = await getDocumentProxy(bytes, { maxImageSize: 1, verbosity: 0 });
  if (document.numPages > maxPages) return { problem: 'pages', pages: document.numPages };
  let text = '';
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    for (const { str = '', hasEOL } of items) {
      text += hasEOL ? str + '\\n' : str;
      if (text.length > maxCharacters) return { problem: 'characters' };
    }
    if (text !== '' && !text.endsWith('\\n')) text += '\\n';
    page.cleanup();
  }
  return { text };
}
read().then(
  (answer) => parentPort.postMessage(answer),
  (error) => parentPort.postMessage({ problem: error?.name === 'PasswordException' ? 'password' : 'invalid' }),
);`;
