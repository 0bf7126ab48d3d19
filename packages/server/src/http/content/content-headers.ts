const mediaTypePattern = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/;
const charsetPattern = /^\s*charset=("?)([a-z0-9_.:-]{1,40})\1\s*$/i;

/** The declared media type as a safe header value; `application/octet-stream` for anything unusual. */
export function safeMediaType(declared: string | undefined): string {
  const [name = '', ...parameters] = (declared ?? '').split(';');
  const mediaType = name.trim().toLowerCase();
  if (!mediaTypePattern.test(mediaType)) return 'application/octet-stream';
  const charset = parameters.map((one) => charsetPattern.exec(one)?.[2]).find((one) => one !== undefined);
  return charset === undefined ? mediaType : `${mediaType}; charset=${charset.toLowerCase()}`;
}

/**
 * `content-disposition` for a file of any name, as an attachment, so that no browser shows it as a page of this site. Characters that could
 * end the header or the quotes, or lead to another folder, are replaced; the full name is in `filename*` (RFC 6266, RFC 8187).
 */
export function attachment(filename: string): string {
  const name = lastSegment(filename);
  const ascii = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  const plain = `attachment; filename="${ascii}"`;
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${encode(name)}`;
}

/** The part after the last path separator of any system, without control characters and direction marks. */
function lastSegment(filename: string): string {
  const name = filename
    .toWellFormed()

    .replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, '_')
    .split(/[/\\]/)
    .filter((segment) => segment !== '')
    .at(-1);
  return name === undefined || /^[.\s]+$/.test(name) ? 'file' : name.slice(0, 255).toWellFormed();
}

function encode(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*!]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
