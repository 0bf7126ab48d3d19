const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Random text to cut paddings from. It hides lengths and is no secret, so it need not be fresh for each event. */
const noise = Array.from(crypto.getRandomValues(new Uint8Array(8192)), (byte) => letters.charAt(byte % 62)).join('');

/**
 * Pads events to equal sizes (interface: `stream_options.include_obfuscation`). All events whose payload is up to `step`
 * bytes above `base` come out equally long, those above likewise by `step`: a size says no more than that.
 */
export interface Obfuscation {
  /** `json` is an object's text of `bytes` UTF-8 bytes. */
  pad(json: string, bytes: number): string;
}

export function obfuscation(base: number, step: number): Obfuscation {
  return {
    pad(json, bytes) {
      const above = Math.max(0, bytes - base);
      // At least one step, so that an empty delta is as long as a short one.
      const target = base + Math.max(1, Math.ceil(above / step)) * step;
      return `${json.slice(0, -1)},"obfuscation":"${randomText(target - bytes)}"}`;
    },
  };
}

function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    const start = Math.floor(Math.random() * (noise.length - 64));
    text += noise.slice(start, start + Math.min(length - text.length, noise.length - start));
  }
  return text;
}

/** Length in UTF-8 bytes, without encoding. A lone surrogate counts as the three bytes of its replacement. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    if (code < 0x800) bytes += 1;
    else if (code >= 0xd800 && code < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 2;
      i++;
    } else bytes += 2;
  }
  return bytes;
}
