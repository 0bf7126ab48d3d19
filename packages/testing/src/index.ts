// The server
export { startTestServer } from './server/start.ts';
export { UnmatchedRequestError } from './server/unmatched-request-error.ts';
export type { TestServer } from './server/start.ts';
export type { TestServerOptions } from './server/options.ts';
export type { TestRequest } from './server/requests.ts';

// Faults
export type { Fault, FaultMatcher, FaultName } from './faults/types.ts';

// Recordings
export { record } from './recording/record.ts';
export type { Recording, RecordOptions } from './recording/record.ts';
export * from './recording/replay.ts';

// Objects
export * from './factories/index.ts';

// Scripts
export { loadReplies } from './replies-file.ts';
export { serveReplies } from './serve-replies.ts';
export type { ServeRepliesOptions } from './serve-replies.ts';
export { ScriptError } from './problems.ts';
export type { ScriptProblem } from './problems.ts';
export type { Script, SimpleFault } from './script.ts';
export type * from './replies/types.ts';
