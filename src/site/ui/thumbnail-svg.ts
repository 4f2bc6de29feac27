/**
 * Pictures of recordings as files of the site (vite/first-paint.ts): thumbnails, and three lanes that are drawn once, as in a replay. As
 * images they cost the first page no script. Their colours follow `color-scheme` of where they stand.
 */
import { findDays } from 'virtual:find-days'
import type { ProfilesLesson } from '../../lessons/lesson'
import { loadLesson } from '../../lessons/load'
import type { Excerpt, ExcerptStrip } from '../../strips/excerpt'
import type { Ink, Mark } from '../../strips/marks'
import { readDeviceStrip, wholeStrips, type DeviceStrip } from '../../strips/of-device'
import { excerptOf } from '../../strips/of-run'
import { heightsFor, sceneOf } from '../../strips/scene'
import { mixed, svgFile, svgMarks } from '../../strips/svg'
import { thumbnailScene } from '../../strips/thumbnail'
import { createRunFiles } from '../state/run-files'
import { endedState } from '../state/run-store'
import { themeColour } from './theme-colours'

type ReadRecording = (file: string) => Promise<Uint8Array | null>

/** The excerpt of a lesson's recording; null where it has no run of its own. */
async function recordedRun(id: string, readRecording: ReadRecording): Promise<Excerpt | null> {
  const lesson = await loadLesson(id)
  if (lesson.kind !== 'experiment') return null
  const bytes = await readRecording(lesson.recording)
  if (bytes === null) return null
  const files = createRunFiles(() => Promise.reject(new Error('nothing is written here')))
  const read = await files.readRun(bytes, 'recorded')
  if (!read.ok) throw new Error(`${lesson.recording}: ${read.error.message}`)
  return excerptOf(endedState('thumbnail', read.value), lesson.excerpt)
}

/** What was recorded of a profile's device; null where there is none of that name. */
async function recordedDevice(file: string, readRecording: ReadRecording): Promise<DeviceStrip | null> {
  const bytes = await readRecording(file)
  return bytes && (await readDeviceStrip(bytes))
}

/** The ranks of the profile that a lesson shows. */
async function recordedRanks(
  { shown }: ProfilesLesson,
  readRecording: ReadRecording,
): Promise<readonly DeviceStrip[]> {
  const ranks: DeviceStrip[] = []
  for (;;) {
    const file = `${shown.recording}-rank${String(ranks.length)}.json.gz`
    const strip = await recordedDevice(file, readRecording)
    if (!strip) return ranks
    ranks.push({ ...strip, variant: `rank ${String(ranks.length)}` })
  }
}

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

function thumbnail(excerpts: readonly Excerpt[], asShares: boolean): string | null {
  const drawn = thumbnailScene(excerpts, asShares)
  return drawn && fileOf(drawn, drawn.marks, (group) => group(drawn.marks))
}

/** Of a lesson with a run of its own a row a variant, of one that reads profiles a row a profile. Null where there is no recording. */
export async function thumbnailSvg(id: string, readRecording: ReadRecording): Promise<string | null> {
  const lesson = await loadLesson(id)
  if (lesson.kind === 'experiment') {
    const run = await recordedRun(id, readRecording)
    return run && thumbnail([run], false)
  }
  const strips: ExcerptStrip[] = []
  for (const { recording } of lesson.profiles) {
    // Several ranks have several files.
    const strip = strips.length < 3 ? await recordedDevice(`${recording}.json.gz`, readRecording) : null
    if (strip) strips.push(strip)
  }
  return thumbnail([wholeStrips(strips)], true)
}

/** The ranks of the profile that a lesson shows, a row each; null where its lesson shows none. */
export async function ranksSvg(id: string, readRecording: ReadRecording): Promise<string | null> {
  const lesson = await loadLesson(id)
  if (lesson.kind !== 'profiles') return null
  return thumbnail([wholeStrips(await recordedRanks(lesson, readRecording))], true)
}

/** The profiles of 'Find the line', a row each, all as long as the picture is wide: they are different programs. */
export async function findSvg(readRecording: ReadRecording): Promise<string | null> {
  const excerpts: Excerpt[] = []
  for (const { files } of findDays) {
    const strip = await recordedDevice(`profiles/${files[0] ?? ''}`, readRecording)
    if (strip) excerpts.push(wholeStrips([strip]))
  }
  return thumbnail(excerpts, true)
}

const REPLAY = { width: 560, seconds: 4 } as const

/** Host, queue and device of the first variant that is drawn: the loop as it should run, which says nothing of the ones that are asked about. */
export async function replaySvg(id: string, readRecording: ReadRecording): Promise<string | null> {
  const run = await recordedRun(id, readRecording)
  const [strip] = run?.strips ?? []
  if (!run || !strip) return null
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
