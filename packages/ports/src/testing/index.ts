// Fixtures for the tests of this repository; not published.
export { silentMp3, silentWav } from './audio.ts';
export { dataUrl, imageHeads } from './images.ts';
export { chatRequest } from './chat-request.ts';
export { freePort } from './free-port.ts';
export { expectRangesToBeSlices } from './ranges.ts';
export { unreliableProxy } from './unreliable-proxy.ts';
