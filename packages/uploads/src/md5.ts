// A separate module, so that a lazy import bundles MD5 only and nothing else of hash-wasm.
export { createMD5 } from 'hash-wasm';
