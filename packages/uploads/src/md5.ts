// A module of its own, so that who loads it lazily gets MD5 and nothing else of hash-wasm: bundlers take apart what is imported by name.
export { createMD5 } from 'hash-wasm';
