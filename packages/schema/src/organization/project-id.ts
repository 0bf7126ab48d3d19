import * as z from 'zod';

/** Clients put the ID into the path of a URL, where `.` and `..` would address another endpoint. */
export const projectIdSchema = z.string().regex(/^(?!\.{1,2}$)[\w.-]{1,64}$/, {
  error: "1 to 64 letters, digits, underscores, dashes and dots, other than '.' and '..'",
});
