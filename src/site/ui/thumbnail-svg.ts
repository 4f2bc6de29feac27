/**
 * Pictures of recordings as files of the site (vite/first-paint.ts): thumbnails, and three lanes
 * that are drawn once, as in a replay. As images they cost the first page no script. Their colours
 * follow `color-scheme` of where they stand.
 */
import type { Excerpt } from '../../strips/excerpt'
import type { Ink, Mark } from '../../strips/marks'
import { heightsFor, sceneOf } from '../../strips/scene'
import { mixed, svgFile, svgMarks } from '../../strips/svg'
import type { Thumbnail } from '../../strips/thumbnail'
import { themeColour } from './theme-colours'

const light = (ink: Ink): string => mixed((hue) => themeColour(hue)[0], ink)
const dark = (ink: Ink): string => mixed((hue) => themeColour(hue)[1], ink)

/** Each colour stands light in the marks, and a rule for it gives the dark one. */
function fileOf(
  size: { readonly width: number; readonly height: number },
  marks: readonly Mark[],
  wrap: (group: (some: readonly Mark[]) => string) => string,
  style = '',
): string {
  const inks = new Map(marks.flatMap(({ fill }) => (fill ? [[light(fill), dark(fill)] as const] : [])))
  const edges = new Map(
    marks.flatMap(({ edge }) => {
      const ink = edge && { hue: edge.hue, share: 1 }
      return ink ? [[light(ink), dark(ink)] as const] : []
    }),
  )
  const rules = (name: string, colours: ReadonlyMap<string, string>) =>
    [...colours].map(([day, night]) => `[${name}="${day}"]{${name}:light-dark(${day},${night})}`).join('')
  const css = `:root{color-scheme:light dark}${rules('fill', inks)}${rules('stroke', edges)}${style}`
  const parts = wrap((some) => svgMarks(some, { paintOf: light }))
  return svgFile(size, `<style>${css}</style>${parts}`, ' preserveAspectRatio="none"')
}

export const thumbnailSvg = (drawn: Thumbnail): string =>
  fileOf(drawn, drawn.marks, (group) => group(drawn.marks))

const REPLAY = { width: 560, seconds: 4 } as const

/**
 * Host, queue and device of the first variant that is drawn: the loop as it should run, which says
 * nothing of the ones that are asked about.
 */
export function replaySvg(run: Excerpt): string | null {
  const [strip] = run.strips
  if (!strip) return null
  const { width } = REPLAY
  const cut = { width, lanes: 'no-staging', heights: heightsFor(width), labels: null } as const
  const { height, marks } = sceneOf(strip, run, cut)
  const isGround = ({ part }: Mark) => part === 'ground'
  // Once, from left to right; whoever wants no motion sees the whole of it.
  const style = `#shown{animation:drawn ${String(REPLAY.seconds)}s linear}@keyframes drawn{from{transform:scaleX(0)}}@media (prefers-reduced-motion:reduce){#shown{animation:none}}`
  return fileOf(
    { width, height },
    marks,
    (group) =>
      `<clipPath id="upto"><rect id="shown" width="${String(width)}" height="${String(height)}"/></clipPath>${group(marks.filter(isGround))}<g clip-path="url(#upto)">${group(marks.filter((mark) => !isGround(mark)))}</g>`,
    style,
  )
}
