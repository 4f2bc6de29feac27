/**
 * Colours as colour-blind eyes see them: Machado, Oliveira, Fernandes 2009 (doi
 * 10.1109/TVCG.2009.113), severity 1, in linear sRGB.
 */
import { parseColour } from '../../../timeline/colour'

const SEEN = {
  'normal sight': [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
} as const
type Sight = keyof typeof SEEN

export const SIGHTS = Object.keys(SEEN) as readonly Sight[]

const linear = (channel: number): number =>
  channel <= 10.31475 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4

const times = (matrix: readonly number[], vector: readonly number[]): readonly number[] =>
  [0, 3, 6].map((row) => vector.reduce((sum, value, column) => sum + (matrix[row + column] ?? 0) * value, 0))

const LMS = [
  0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566, 0.0883024619,
  0.2817188376, 0.6299787005,
]
const LAB = [
  0.2104542553, 0.793617785, -0.0040720468, 1.9779984951, -2.428592205, 0.4505937099, 0.0259040371,
  0.7827717662, -0.808675766,
]

/**
 * OKLab (https://bottosson.github.io/posts/oklab/) of what is seen.
 * @throws of what is no colour
 */
export function seenAs(colour: string, sight: Sight): readonly number[] {
  const rgb = parseColour(colour)
  if (!rgb) throw new Error(`'${colour}' is no colour.`)
  const seen = times(SEEN[sight], [rgb.red, rgb.green, rgb.blue].map(linear))
  const inGamut = seen.map((value) => Math.min(1, Math.max(0, value)))
  return times(LAB, times(LMS, inGamut).map(Math.cbrt))
}
