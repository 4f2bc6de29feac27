/**
 * FNV-1a over UTF-16 code units, 32 bits: tells a changed text from the one that it was. Nothing is
 * secured by it.
 */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
