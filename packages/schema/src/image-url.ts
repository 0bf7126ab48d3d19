import * as z from 'zod';
import { isImageUrl } from './base64.ts';

/** Where an image is, or the image itself. */
export const imageUrlSchema = z.string().refine(isImageUrl, {
  error: 'an http or https URL of an image, or a data URL such as data:image/png;base64,…',
});
