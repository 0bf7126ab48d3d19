/** Properties of a button that looks like text: for actions that are not the main one of a page or a row. */
export const quiet = { variant: 'subtle', color: 'gray' } as const;
