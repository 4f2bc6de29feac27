/** Sizes as a profile writes them, for people. */

/** '8×64, 64×4'; what is no tensor is left out. */
export function shapeText(shape: string): string {
  if (shape === '') return ''
  let sizes: unknown
  try {
    sizes = JSON.parse(shape)
  } catch {
    return `${shape.slice(0, MOST_SHAPE)}…`
  }
  const text = (Array.isArray(sizes) ? sizes : [])
    .map(sizeText)
    .filter((each) => each !== '')
    .join(', ')
  return text.length > MOST_SHAPE ? `${text.slice(0, MOST_SHAPE)}…` : text
}
const MOST_SHAPE = 120

/** In a list of tensors each has its sizes in brackets. */
function sizeText(size: unknown): string {
  if (!Array.isArray(size)) return ''
  return size.some(Array.isArray) ? `(${size.map(sizeText).join(', ')})` : size.join('×')
}

/** '32×4, 128': blocks, and threads of a block. */
export const launchText = (grid: string, block: string): string => {
  const [blocks, threads] = [sideText(grid), sideText(block)]
  return blocks === '' || threads === '' ? '' : `${blocks}, ${threads}`
}
/** '[32,1,1]' as '32'. */
const sideText = (sides: string): string =>
  sides
    .replace(/[[\]\s]/g, '')
    .split(',')
    .reduceRight<string[]>((kept, side) => (kept.length === 0 && side === '1' ? kept : [side, ...kept]), [])
    .join('×') || (sides === '' ? '' : '1')
