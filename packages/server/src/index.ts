export type { ChatEngine, ChatEvent, ChatModel, ChatRequest, EngineContext, Relayed } from './ports/chat-engine.ts';
export { allCapabilities, capabilities, chatParameters } from './chat/capabilities.ts';
export type { CapabilitiesInit, ChatCapabilities, ChatParameter, InputKind, Role, Support } from './chat/capabilities.ts';
export { RequestError, invalid, modelNotFound, notFound, overloaded, unsupported, unsupportedValue } from './errors.ts';
export type { RequestErrorInit } from './errors.ts';
