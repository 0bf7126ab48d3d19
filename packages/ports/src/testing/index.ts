// Fixtures for the tests of this repository; not published.
export { silentMp3, silentWav } from './audio.ts';
export { dataUrl, imageHeads } from './images.ts';
export { chatRequest } from './chat-request.ts';
export { freePort } from './free-port.ts';
export { expectRangesToBeSlices } from './ranges.ts';
export { unreliableProxy } from './unreliable-proxy.ts';
export { blobKey, collected, generated } from '../suites/blobs/contents.ts';
export { streamFailure } from '../suites/stores/event-streams.ts';
export { projectRecord } from '../suites/stores/keys.ts';
export { completionRecord } from '../suites/stores/records.ts';
export { storedResponse, storeTurn } from '../suites/stores/response-records.ts';
export { batchRecord, fileRecord, partRecord, uploadRecord, videoRecord } from '../suites/stores/work-records.ts';
