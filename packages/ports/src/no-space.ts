/** What stores and blobs may say of an error they reject with: there was no space left for what was to be kept. Clients get a 507. */
export interface NoSpace {
  readonly noSpace: true;
}

export function isNoSpace(error: unknown): error is NoSpace {
  return typeof error === 'object' && error !== null && 'noSpace' in error && error.noSpace === true;
}
