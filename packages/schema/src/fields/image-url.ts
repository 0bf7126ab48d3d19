import * as z from 'zod';
import { isImageUrl } from '../data-url/inline-data.ts';

/** The URL of an image, or the image as a data URL. */
export const imageUrlSchema = z.string().refine(isImageUrl, {
  error: 'an http or https URL of an image, or a data URL such as data:image/png;base64,…',
});
