/**
 * Pictures of a lesson's recorded run as files of the site (vite/first-paint.ts): a thumbnail, and three lanes that are drawn once, as in a
 * replay. As images they cost the first page no script. Their colours follow `color-scheme` of where they stand.
 */
import { thumbnailOf } from '../state/thumbnail'
import { pictureOf, type ReadRecording } from './preview'
import { bandsOf, depthPath, drawnIdle, extentOf, idleHue, isWait } from './story/story-layout'
import { themeColour } from './theme-colours'

const n = (value: number): string => String(Number(value.toFixed(2)))

const HUES = ['surface-2', 'device', 'transfer', 'collective', 'host', 'wait', 'idle', 'queue', 'staging']

const RULES = HUES.map((hue) => `.${hue}{fill:light-dark(${themeColour(hue).join()})}`).join('')

const picture = (width: number, height: number, style: string, parts: readonly string[]): string =>
  `<svg preserveAspectRatio="none" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" width="${String(width)}" height="${String(height)}"><style>:root{color-scheme:light dark}${RULES}${style}</style>${parts.join('')}</svg>`

const box = (x: number, y: number, width: number, height: number, hue: string, opacity = 1): string =>
  `<rect class="${hue}" x="${n(x)}" y="${n(y)}" width="${n(Math.max(0.5, width))}" height="${n(height)}"${opacity === 1 ? '' : ` fill-opacity="${String(opacity)}"`}/>`

const SIZE = { width: 240, row: 22, gap: 6 } as const

/**
 * A row a variant: when the device computed in the first steps, and when it idled between them. What lies after a variant's end is neither.
 * Null where the lesson has no recorded run of its own, or that has no times of the device.
 */
export async function thumbnailSvg(id: string, readRecording: ReadRecording): Promise<string | null> {
  const drawn = await pictureOf(id, readRecording)
  if (!drawn) return null
  const rows = thumbnailOf(drawn.story)
  if (rows.every((row) => row.length === 0)) return null
  const strips = drawn.story.strips.slice(-rows.length)
  const pxPerNs = SIZE.width / drawn.story.lengthNs
  const pitch = SIZE.row + SIZE.gap
  const parts = rows.flatMap((row, index) => [
    box(0, index * pitch, SIZE.width, SIZE.row, 'surface-2'),
    ...drawnIdle(strips[index]?.idle ?? [], pxPerNs).map((idle) => {
      const { x, width } = extentOf(idle, pxPerNs)
      return box(x, index * pitch, Math.min(width, SIZE.width - x), SIZE.row, 'idle', 0.25)
    }),
    ...row.map(([start, length]) =>
      box((start / 1000) * SIZE.width, index * pitch, (length / 1000) * SIZE.width, SIZE.row, 'device'),
    ),
  ])
  return picture(SIZE.width, rows.length * pitch - SIZE.gap, '', parts)
}

const REPLAY = { width: 560, seconds: 4 } as const

/** Host, queue and device of the first variant that is drawn: the loop as it should run, which says nothing of the ones that are asked about. */
export async function replaySvg(id: string, readRecording: ReadRecording): Promise<string | null> {
  const drawn = await pictureOf(id, readRecording)
  const [strip] = drawn?.story.strips ?? []
  if (!drawn || !strip) return null
  const { lengthNs } = drawn.story
  const pxPerNs = REPLAY.width / lengthNs
  const { bands, height } = bandsOf(strip, false, REPLAY.width)
  const deepest = Math.max(0, ...strip.depth.map(({ value }) => value))
  const grounds = bands.map(({ top, height: own }) => box(0, top, REPLAY.width, own, 'surface-2'))
  const bars = bands.flatMap(({ kind, top, height: own, row }) => [
    ...(kind === 'queue'
      ? [
          `<path class="queue" fill-opacity="0.55" transform="translate(0 ${n(top)})" d="${depthPath(strip.depth, deepest, lengthNs, pxPerNs, own)}"/>`,
        ]
      : []),
    ...(kind === 'device'
      ? drawnIdle(strip.idle, pxPerNs).map((idle) => {
          const { x, width } = extentOf(idle, pxPerNs)
          return box(x, top, width, own, idleHue(idle), 0.25)
        })
      : []),
    ...(row?.bars ?? []).map((bar) => {
      const { x, width } = extentOf(bar, pxPerNs)
      const hue = isWait(bar)
        ? 'wait'
        : bar.kind === 'compute'
          ? 'device'
          : bar.kind === 'transfer'
            ? 'transfer'
            : 'host'
      return box(x, top, width, own, hue, isWait(bar) ? 0.3 : 1)
    }),
  ])
  // Once, from left to right; whoever wants no motion sees the whole of it.
  const style = `#shown{animation:drawn ${String(REPLAY.seconds)}s linear}@keyframes drawn{from{transform:scaleX(0)}}@media (prefers-reduced-motion:reduce){#shown{animation:none}}`
  return picture(REPLAY.width, height, style, [
    `<clipPath id="upto"><rect id="shown" width="${String(REPLAY.width)}" height="${n(height)}"/></clipPath>`,
    ...grounds,
    `<g clip-path="url(#upto)">${bars.join('')}</g>`,
  ])
}
