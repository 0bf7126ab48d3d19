/** The task of the thread. */
export interface PdfTask {
  readonly bytes: Uint8Array;
  /** Path of the library. */
  readonly library: string;
  readonly maxPages: number;
  readonly maxCharacters: number;
  /** Bytes of one decompressed stream. V8 does not count buffers as memory of a thread. */
  readonly maxStreamBytes: number;
}

/** The reply of the thread. */
export type PdfReply =
  | { readonly text: string }
  | { readonly problem: 'pages'; readonly pages: number }
  | { readonly problem: 'characters' | 'stream' | 'password' | 'invalid' };

/** The program of the thread: a string instead of a file, so that it works both from source and from a bundle. */
export const pdfWorkerProgram = `
const { parentPort, workerData } = require('node:worker_threads');
const { bytes, library, maxPages, maxCharacters, maxStreamBytes } = workerData;

// The library decompresses into arrays whose size it doubles repeatedly: a small file may contain gigabytes.
let tooLarge = false;
globalThis.Uint8Array = new Proxy(Uint8Array, {
  construct(target, args, newTarget) {
    if (typeof args[0] === 'number' && args[0] > maxStreamBytes) {
      tooLarge = true;
      throw new RangeError('A stream of the PDF is too large.');
    }
    return Reflect.construct(target, args, newTarget);
  },
});

async function read() {
  const { getDocumentProxy } = require(library);
  // Images are not needed, so they are not decoded.
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
  return tooLarge ? { problem: 'stream' } : { text };
}
read().then(
  (result) => parentPort.postMessage(result),
  (error) => {
    const problem = tooLarge ? 'stream' : error?.name === 'PasswordException' ? 'password' : 'invalid';
    parentPort.postMessage({ problem });
  },
);`;
