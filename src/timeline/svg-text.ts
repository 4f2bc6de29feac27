/** Numbers, colours and text as an SVG file takes them. Names of spans come from anybody's file: they stay text. */

/** Two decimals are a fiftieth of a device pixel at 2x. */
export const svgNumber = (value: number): string => String(Math.round(value * 100) / 100 + 0)

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** XML 1.0 has no form for these at all, not even escaped. The last two parts are halves of a pair that stand alone. */
const NOT_XML =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

export const escapeXml = (text: string): string =>
  text.replaceAll(NOT_XML, '\ufffd').replaceAll(/[&<>"]/g, (character) => NAMED[character] ?? '')

/** 'rgb(1 2 3 / 0.5)' as attributes that readers of SVG 1.1 know; what is no such colour ('url(#tile)') goes through as it is. */
export function paintAttributes(attribute: 'fill' | 'stroke', style: string): string {
  const parts = /^rgb\((\d+) (\d+) (\d+)(?: \/ ([\d.e-]+))?\)$/.exec(style)
  if (!parts) return `${attribute}="${escapeXml(style)}"`
  const byte = (at: number): string => Number(parts[at]).toString(16).padStart(2, '0')
  const colour = `${attribute}="#${byte(1)}${byte(2)}${byte(3)}"`
  return parts[4] === undefined ? colour : `${colour} ${attribute}-opacity="${svgNumber(Number(parts[4]))}"`
}
