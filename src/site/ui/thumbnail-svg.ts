/**
 * Pictures of a lesson's recorded run as files of the site (vite/first-paint.ts): a thumbnail, and three lanes that are drawn once, as in a
 * replay. As images they cost the first page no script. Their colours follow `color-scheme` of where they stand.
 */
import { findDays } from 'virtual:find-days'
import type { Interval } from '../../analysis/types'
import { loadLesson } from '../../lessons/load'
import type { FaultyProfile } from '../../lessons/lesson'
import type { ProfileRow } from '../state/profile-thumbnail'
import { drawnIdle, idleOf, type Story } from '../state/story'
import { MOST_ROWS, thumbnailOf } from '../state/thumbnail'
import { hostMark, THUMBNAIL_WIDTH } from '../state/thumbnail-marks'
import { merged, pictureOf, profileIn, ranksOf, type ReadRecording } from './preview'
import { bandsOf, depthPath, extentOf, idleHue, isWait } from './story/story-layout'
import { themeColour } from './theme-colours'

const n = (value: number): string => String(Number(value.toFixed(2)))

const HUES = ['surface-2', 'device', 'transfer', 'collective', 'host', 'wait', 'idle', 'queue', 'staging']

const RULES = HUES.map((hue) => `.${hue}{fill:light-dark(${themeColour(hue).join()})}`).join('')

const picture = (width: number, height: number, style: string, parts: readonly string[]): string =>
  `<svg preserveAspectRatio="none" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" width="${String(width)}" height="${String(height)}"><style>:root{color-scheme:light dark}${RULES}${style}</style>${parts.join('')}</svg>`

const box = (x: number, y: number, width: number, height: number, hue: string, opacity = 1): string =>
  `<rect class="${hue}" x="${n(x)}" y="${n(y)}" width="${n(Math.max(0.5, width))}" height="${n(height)}"${opacity === 1 ? '' : ` fill-opacity="${String(opacity)}"`}/>`

const SIZE = { width: THUMBNAIL_WIDTH, row: 22, gap: 6 } as const

const PITCH = SIZE.row + SIZE.gap

/**
 * Of a lesson with a run of its own a row a variant, of one that reads profiles a row a profile; all rows on one scale of time. Null where
 * there is no recording.
 */
export async function thumbnailSvg(id: string, readRecording: ReadRecording): Promise<string | null> {
  const lesson = await loadLesson(id)
  if (lesson.kind === 'profiles') return await profilesSvg(lesson.profiles, readRecording)
  const drawn = await pictureOf(id, readRecording)
  if (!drawn) return null
  const { story } = drawn
  const isOfDevice = story.strips.some(({ rows }) => rows.some(({ kind }) => kind === 'device'))
  const rows = isOfDevice ? deviceRows(story) : hostRows(story)
  return rows.every((row) => row.length === 0) ? null : thumbnail(rows)
}

const thumbnail = (rows: readonly (readonly string[])[]): string =>
  picture(
    SIZE.width,
    rows.length * PITCH - SIZE.gap,
    '',
    rows.flatMap((row, index) => [box(0, index * PITCH, SIZE.width, SIZE.row, 'surface-2'), ...row]),
  )

/** When the device computed in the first steps, and when it idled between them. What lies after a variant's end is neither. */
function deviceRows(story: Story): readonly (readonly string[])[] {
  const rows = thumbnailOf(story)
  const strips = story.strips.slice(-rows.length)
  const pxPerNs = SIZE.width / story.lengthNs
  return rows.map((row, index) => [
    ...drawnIdle(strips[index]?.idle ?? [], pxPerNs).map((idle) => {
      const { x, width } = extentOf(idle, pxPerNs)
      return box(x, index * PITCH, Math.min(width, SIZE.width - x), SIZE.row, 'idle', 0.25)
    }),
    ...row.map(([start, length]) =>
      box((start / 1000) * SIZE.width, index * PITCH, (length / 1000) * SIZE.width, SIZE.row, 'device'),
    ),
  ])
}

/** Where no device was timed, what the hosts did: work, waiting, messages; of several ranks one under another. */
function hostRows({ strips, lengthNs }: Story): readonly (readonly string[])[] {
  const pxPerNs = SIZE.width / lengthNs
  return strips.slice(-MOST_ROWS).map(({ rows }, index) => {
    const hosts = rows.filter(({ kind }) => kind === 'host')
    const height = SIZE.row / Math.max(1, hosts.length)
    return hosts.flatMap(({ bars }, at) =>
      bars.flatMap((bar) => {
        const { x, width } = extentOf(bar, pxPerNs)
        const hue = hostMark(bar)
        const own = Math.min(width, SIZE.width - x)
        return own > 0
          ? [
              box(
                x,
                index * PITCH + at * height,
                own,
                height - (hosts.length > 1 ? 1 : 0),
                hue,
                isWait(bar) ? 0.3 : 1,
              ),
            ]
          : []
      }),
    )
  })
}

async function profilesSvg(
  profiles: readonly FaultyProfile[],
  readRecording: ReadRecording,
): Promise<string | null> {
  const rows: ProfileRow[] = []
  for (const { recording } of profiles) {
    // Of several ranks there are several files.
    const row = rows.length < MOST_ROWS ? await profileIn(`${recording}.json.gz`, readRecording) : null
    if (row) rows.push(row)
  }
  return drawnProfiles(rows)
}

/** The ranks of the profile that a lesson shows, a row each; null where its lesson shows none. */
export async function ranksSvg(id: string, readRecording: ReadRecording): Promise<string | null> {
  const lesson = await loadLesson(id)
  if (lesson.kind !== 'profiles') return null
  return drawnProfiles(await ranksOf(lesson, readRecording))
}

/** Of a row of a profile: gaps between kernels are narrower than that, most of them, so its height is the share. */
const COLUMN = 2

/** By column, for how much of it at least one of these goes on. They overlap no other of their own kind. */
function sharesOf(all: readonly Interval[], lengthNs: number): readonly number[] {
  const columns = Array.from({ length: SIZE.width / COLUMN }, () => 0)
  const columnNs = lengthNs / columns.length
  for (const { start, end } of all)
    for (let at = Math.floor(start / columnNs); at < columns.length && at * columnNs < end; at += 1)
      columns[at] =
        (columns[at] ?? 0) + (Math.min(end, (at + 1) * columnNs) - Math.max(start, at * columnNs)) / columnNs
  return columns.map((share) => Math.min(1, share))
}

const sharePath = (shares: readonly number[], top: number, hue: string): string =>
  `<path class="${hue}" d="M0 ${n(top + SIZE.row)}${shares
    .map((share, at) => `V${n(top + SIZE.row * (1 - Math.round(20 * share) / 20))}H${n(COLUMN * (at + 1))}`)
    .join('')}V${n(top + SIZE.row)}z"/>`

/** The profiles of 'Find the line', a row each, all as long as the picture is wide: they are different programs. */
export async function findSvg(readRecording: ReadRecording): Promise<string | null> {
  const rows: (readonly string[])[] = []
  for (const { files } of findDays) {
    const read = await profileIn(`profiles/${files[0] ?? ''}`, readRecording)
    if (!read) continue
    const top = rows.length * PITCH
    const { computing, running, lengthNs } = read
    rows.push([
      box(0, top, SIZE.width, SIZE.row, 'idle', 0.25),
      sharePath(sharesOf(running, lengthNs), top, 'collective'),
      sharePath(sharesOf(computing, lengthNs), top, 'device'),
    ])
  }
  return rows.length > 0 ? thumbnail(rows) : null
}

function drawnProfiles(rows: readonly ProfileRow[]): string | null {
  if (rows.length === 0) return null
  const pxPerNs = SIZE.width / Math.max(...rows.map(({ lengthNs }) => lengthNs))
  return thumbnail(
    rows.map(({ lengthNs, computing, inCollectives }, index) => {
      const boxes = (all: readonly Interval[], hue: string, opacity: number) =>
        merged(all, 1 / pxPerNs).map(({ start, end }) =>
          box(start * pxPerNs, index * PITCH, (end - start) * pxPerNs, SIZE.row, hue, opacity),
        )
      return [
        box(0, index * PITCH, lengthNs * pxPerNs, SIZE.row, 'idle', 0.25),
        ...boxes(inCollectives, 'collective', 1),
        ...boxes(computing, 'device', 1),
      ]
    }),
  )
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
    ...(kind === 'device' && row
      ? drawnIdle(idleOf(strip, row), pxPerNs).map((idle) => {
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
