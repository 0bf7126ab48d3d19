/** Creates the ID of an object, which starts with the prefix of its kind. */
export type CreateId = (prefix: string) => string;

/** A random ID, unguessable and unique: 32 lower-case digits of 122 random bits after the prefix. Also a key of the blob store, whose case may not matter. */
export const randomId: CreateId = (prefix) => prefix + crypto.randomUUID().replaceAll('-', '');
