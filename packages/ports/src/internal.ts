// For the packages of this repository. It can change in any release.
export { intersectCapabilities, structuredOutputsModes } from './chat-capabilities.ts';
export { chatParameters, emulatedParameters, parameterRules } from './chat-parameters.ts';
export type { ChatParameter, EmulatedParameter, ParameterRule } from './chat-parameters.ts';
export { passParameters } from './chat-request.ts';
export { parseSearch, searchedLength, searchedWords, wordsOf } from './completion-search.ts';
export { excerptOf, summarizeCompletion } from './completion-summary.ts';
export { rateDecision, reservationBounds, tokenReservation } from './rate-decision.ts';
