// For the packages of this repository. It can change in any release.
export { routingPolicies } from '@modelwire/adapter-kit/internal';
export { getText } from './get-text.ts';
export type { GetText, GetTextInit, TextReply } from './get-text.ts';
export { detectPreset } from './presets/detect-preset.ts';
export type { DetectPresetOptions } from './presets/detect-preset.ts';
export { credentialHeaders } from './requests/credential-headers.ts';
export { modelKind } from './presets/model-kind.ts';
export type { ModelKind } from './presets/model-kind.ts';
export { presetNames } from './presets/presets.ts';
