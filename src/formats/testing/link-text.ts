/** Bytes as the text of a link, whatever they hold: its letters and its checksum are right. Test code only. */

const fnv = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

export function linkOf(version: number, deflated: Uint8Array): string {
  const data = Buffer.from(deflated).toString('base64url')
  const check = Buffer.alloc(4)
  check.writeUInt32BE(fnv(data))
  return `${String(version)}${check.toString('base64url').slice(0, 6)}${data}`
}

/** The deflated bytes that a link holds. */
export const bytesOfLink = (link: string): Uint8Array =>
  new Uint8Array(Buffer.from(link.slice(7), 'base64url'))
