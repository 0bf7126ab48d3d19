/** Set by stores and blobs on errors that were caused by a full storage. Clients get a 507. */
export interface NoSpace {
  readonly noSpace: true;
}

export function isNoSpace(error: unknown): error is NoSpace {
  return typeof error === 'object' && error !== null && 'noSpace' in error && error.noSpace === true;
}
