/** What a hue looks like in a figure: as in the timeline, a pattern goes with each colour; and each series of points has a shape of its own. */
import type { FigureHue, FigureSeries } from '../../../trace/figure'
import { Swatch, type SwatchName } from '../timeline/Swatch'

const FILLS: Readonly<Record<FigureHue, SwatchName>> = {
  host: 'solid',
  wait: 'dots',
  queue: 'tint',
  staging: 'half',
  transfer: 'lines',
  device: 'solid',
  idle: 'outline',
  'variant-1': 'solid',
  'variant-2': 'solid',
  'variant-3': 'solid',
  'variant-4': 'solid',
}

export const FillSwatch = ({ hue }: { readonly hue: FigureHue }) => <Swatch hue={hue} mark={FILLS[hue]} />

/** Around (0, 0), of about equal area; a series after the fourth begins again with the first. */
const SHAPES = [
  'M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z',
  'M0 -5.8 5.8 0 0 5.8 -5.8 0z',
  'M-4.1 -4.1h8.2v8.2h-8.2z',
  'M0 -5.6 5.4 3.9 -5.4 3.9z',
] as const

export const shapeOf = (series: number): string => SHAPES[series % SHAPES.length] ?? SHAPES[0]

/** Lines of one figure differ in their dashes too; a line that joins measured points is whole. */
export const dashOf = (marks: FigureSeries['marks']): string | undefined =>
  marks === 'line' ? '7 4' : undefined
