const quoted = String.raw`"[^"\\%\r\n]*"`;
const token = String.raw`[\w!#$&+.^|~-]+`;
const value = `(?:${quoted}|${token})`;
const fileName = String.raw`(?:; *filename=(?:"[^"\\\r\n]*"|${token}))?(?:; *filename\*=[\w'%.!#$&+^|~-]+)?`;
const disposition = new RegExp(`^content-disposition: *form-data; *name=(${value})(${fileName})$`, 'i');
const contentType = /^content-type: *([\w.+-]+\/[\w.+-]+)(?:; *charset="?([\w-]+)"?)?$/i;
/** Headers that do not change how a field is read. */
const neutral = /^(?:content-length: *\d+|content-transfer-encoding: *(?:7bit|8bit|binary))$/i;
/** Names that PHP, Rails and others read as a member or element of the field. */
const nested = /^\s*([^.[\s]*)\s*[.[]/;
/** A field with the charset of all others (RFC 7578). */
const charsetField = '_charset_';

/**
 * Whether all parsers read the headers of a part in the same way: line ends of CR and LF, one disposition in the order of browsers and without
 * escapes, and text in UTF-8.
 *
 * @param name The field that has to be read with certainty.
 */
export function areRegularHeaders(headers: string, name: string): boolean {
  const lines = headers.split('\r\n');
  if (lines.some((line) => /[\r\n]/.test(line))) return false;
  const dispositions = lines.flatMap((line) => disposition.exec(line) ?? []);
  if (lines.filter((line) => /^\s*content-disposition/i.test(line)).length !== 1 || dispositions.length === 0)
    return false;
  const [, quotedName = '', file = ''] = dispositions;
  const fieldName = quotedName.replace(/^"(.*)"$/, '$1').toLowerCase();
  if (fieldName === charsetField || nested.exec(fieldName)?.[1] === name) return false;
  return lines.every((line) => {
    if (disposition.test(line) || neutral.test(line)) return true;
    const [, type = '', charset = 'utf-8'] = contentType.exec(line) ?? [];
    return file === '' ? /^text\/plain$/i.test(type) && /^utf-?8$/i.test(charset) : /^content-type:/i.test(line);
  });
}

/** Whether all parsers find the same boundary in a content type (RFC 2046), and read fields as UTF-8. */
export function isRegularFormType(type: string): boolean {
  return /^multipart\/form-data; *boundary=(?:[\w'+.-]{1,70}|"[\w'()+,./:=?-]{1,70}")(?:; *charset="?utf-8"?)?$/i.test(
    type.trim(),
  );
}
