/**
 * The image by which other sites show a link to a lesson or a question: its words, and the first steps of the recorded run of its lesson, drawn as
 * its page draws them (story/story-layout.ts). As SVG, while the site is built (vite/previews.ts). Light, since it stands on other people's pages.
 */
import { loadOnce, type LoadOnce } from '../../base/load-once'
import { loadLesson } from '../../lessons/load'
import type { Interval } from '../../analysis/types'
import type { ExperimentLesson, ProfilesLesson } from '../../lessons/lesson'
import { readProfileRow, type ProfileRow } from '../state/profile-thumbnail'
import { createRunFiles } from '../state/run-files'
import { endedState, type RunState } from '../state/run-store'
import {
  drawnIdle,
  idleOf,
  storyOf,
  type Story,
  type StoryBar,
  type StoryIdle,
  type StoryStrip,
} from '../state/story'
import { traceTools } from '../state/trace-tools'
import { readAddress, type Route } from '../state/url'
import { findMetric } from '../../trace/report'
import { flagOf, formatQuantity } from './format'
import { bandsOf, depthPath, extentOf, idleHue, isWait } from './story/story-layout'
import { themeColour } from './theme-colours'

/** CSS px, which other sites ask for: https://ogp.me, and twice as wide as high for cards. */
const PREVIEW = { width: 1200, height: 630 } as const

/** Text as outlines: what rasterises the image has no fonts. */
export interface Type {
  /** In px. */
  readonly widthOf: (text: string, size: number, weight: 400 | 600) => number
  /** Data of a path, its baseline at 0, 0. */
  readonly outline: (text: string, size: number, weight: 400 | 600) => string
}

export interface Picture {
  readonly story: Story
  readonly lesson: ExperimentLesson
  readonly adapter: string
  readonly figureOf: (variant: string) => string | null
}

const colour = (name: string): string => themeColour(name)[0]

/** As color-mix(in srgb) does: so much of the one, the rest of the ground. */
function mixed(name: string, share: number): string {
  const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  const ground = channels(colour('surface'))
  const mix = channels(colour(name)).map((value, at) =>
    Math.round(value * share + (ground[at] ?? 0) * (1 - share)),
  )
  return `rgb(${mix.join(',')})`
}

function fillOf(bar: StoryBar): string {
  if (isWait(bar)) return `fill="${mixed('wait', 0.12)}" stroke="${colour('wait')}" stroke-dasharray="2 2"`
  switch (bar.kind) {
    case 'compute':
      return `fill="${colour('device')}"`
    case 'transfer':
      return `fill="${colour('transfer')}"`
    case 'collective':
      return `fill="${colour('collective')}" fill-opacity="0.45"`
    case 'staging-filled':
    case 'staging-mapped':
      return `fill="${colour('staging')}"`
    case 'staging-in-flight':
      return `fill="${mixed('staging', 0.45)}"`
    case 'staging-mapping':
    case 'staging-free':
      return `fill="none" stroke="${colour('staging')}"`
    default:
      return `fill="${colour('host')}"`
  }
}

const MARGIN = 64
const NAMES = 248
const STRIPS = { x: MARGIN + NAMES, width: PREVIEW.width - 2 * MARGIN - NAMES } as const

const n = (value: number): string => String(Number(value.toFixed(2)))

function stripOf(strip: StoryStrip, { story, lesson }: Picture, deepest: number): string {
  const pxPerNs = STRIPS.width / story.lengthNs
  const { bands } = bandsOf(strip, lesson.story.staging, STRIPS.width)
  const ground = colour('surface-2')
  return bands
    .map(({ kind, top, height, row }) => {
      const box = (x: number, width: number, style: string) =>
        `<rect x="${n(x)}" y="${n(top)}" width="${n(width)}" height="${n(height)}" ${style}/>`
      const queue =
        kind === 'queue'
          ? `<path transform="translate(0 ${n(top)})" fill="${mixed('queue', 0.55)}" d="${depthPath(strip.depth, deepest, story.lengthNs, pxPerNs, height)}"/>`
          : ''
      const idle =
        kind === 'device' && row
          ? drawnIdle(idleOf(strip, row), pxPerNs).map((each) => {
              const { x, width } = extentOf(each, pxPerNs)
              return box(x, width, `fill="${mixed(idleHue(each), 0.25)}"`)
            })
          : []
      const bars = (row?.bars ?? []).map((bar) => {
        const { x, width } = extentOf(bar, pxPerNs)
        const inferred = bar.isInferred ? ` stroke="${colour('text-2')}" stroke-dasharray="3 2"` : ''
        return box(x, width, `${fillOf(bar)}${inferred}`)
      })
      return [box(0, STRIPS.width, `fill="${ground}"`), queue, ...bars, ...idle].join('')
    })
    .join('')
}

/** By words, in lines no longer than `width`; null where it takes more than `most`. Headings are bold. */
function wrapped(
  text: string,
  size: number,
  width: number,
  most: number,
  type: Type,
  weight: 400 | 600 = 600,
): readonly string[] | null {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && type.widthOf(longer, size, weight) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.length <= most && lines.every((line) => type.widthOf(line, size, weight) <= width)
    ? lines
    : null
}

/** The first of these sizes, px, in which a text is no wider; else the last. */
const fitting = (
  text: string,
  sizes: readonly number[],
  width: number,
  weight: 400 | 600,
  type: Type,
): number => sizes.find((each) => type.widthOf(text, each, weight) <= width) ?? sizes.at(-1) ?? 0

const SIZES = [60, 54, 48, 42, 36] as const

export type ReadRecording = (file: string) => Promise<Uint8Array | null>

/** Several questions lead to one lesson. */
const pictures = new WeakMap<ReadRecording, LoadOnce<Picture | null>>()
export function pictureOf(id: string, readRecording: ReadRecording): Promise<Picture | null> {
  const known = pictures.get(readRecording) ?? loadOnce((each: string) => drawnFrom(each, readRecording))
  pictures.set(readRecording, known)
  return known.load(id)
}

/** What was recorded of a lesson; null where it has no run of its own. */
async function drawnFrom(id: string, readRecording: ReadRecording): Promise<Picture | null> {
  const lesson = await loadLesson(id)
  if (lesson.kind !== 'experiment') return null
  const bytes = await readRecording(lesson.recording)
  if (bytes === null) return null
  const files = createRunFiles(() => Promise.reject(new Error('nothing is written here')))
  const read = await files.readRun(bytes, 'recorded')
  if (!read.ok) throw new Error(`${lesson.recording}: ${read.error.message}`)
  const run: RunState = endedState('preview', read.value, traceTools)
  const story = storyOf(run, lesson.story)
  const { report } = run
  if (!story || !report) return null
  const { figure, words } = lesson.story
  return {
    story,
    lesson,
    adapter: report.environment.adapterName,
    figureOf: (variant) => {
      const metric = findMetric(report.metrics, figure, variant)
      if (metric?.value == null) return null
      const flag = flagOf(metric)
      return `${words} ${formatQuantity(metric.value, metric.unit, figure)}${flag === '' ? '' : ` (${flag})`}`
    },
  }
}

/** As of pictures, several pages show one. */
const profiles = new WeakMap<ReadRecording, LoadOnce<ProfileRow | null>>()
/** What was recorded of a profile's device, and on which; null where there is none of that name. */
export function profileIn(file: string, readRecording: ReadRecording): Promise<ProfileRow | null> {
  const known = profiles.get(readRecording) ?? loadOnce((each: string) => rowOf(each, readRecording))
  profiles.set(readRecording, known)
  return known.load(file)
}

async function rowOf(file: string, readRecording: ReadRecording): Promise<ProfileRow | null> {
  const bytes = await readRecording(file)
  return bytes && (await readProfileRow(bytes))
}

/** The ranks of the profile that a lesson shows. */
export async function ranksOf(
  { shown }: ProfilesLesson,
  readRecording: ReadRecording,
): Promise<readonly ProfileRow[]> {
  const rows: ProfileRow[] = []
  for (;;) {
    const row = await profileIn(`${shown.recording}-rank${String(rows.length)}.json.gz`, readRecording)
    if (!row) return rows
    rows.push(row)
  }
}

/** Nearer than `leastNs`, two are drawn as one. */
export function merged(all: readonly Interval[], leastNs: number): readonly Interval[] {
  const kept: Interval[] = []
  for (const each of all) {
    const last = kept.at(-1)
    if (last && each.start - last.end < leastNs) kept[kept.length - 1] = { start: last.start, end: each.end }
    else kept.push(each)
  }
  return kept
}

/** A file of a recorded profile, and what is said beside it. */
export interface NamedProfile {
  readonly name: string
  readonly file: string
}

type ProfileStrip = ProfileRow & { readonly name: string }

/** Those that a page names, or else the ranks of its lesson's; none where neither has any. */
async function profilesOf(
  named: readonly NamedProfile[],
  id: string | null,
  readRecording: ReadRecording,
): Promise<readonly ProfileStrip[]> {
  const found = await Promise.all(
    named.map(async ({ name, file }) => ({ name, row: await profileIn(file, readRecording) })),
  )
  if (found.length > 0) return found.flatMap(({ name, row }) => (row ? [{ ...row, name }] : []))
  const lesson = id === null ? null : await loadLesson(id)
  if (lesson?.kind !== 'profiles') return []
  const ranks = await ranksOf(lesson, readRecording)
  return ranks.map((row, rank) => ({ ...row, name: `rank ${String(rank)}` }))
}

/** Of each device, from its first kernel to its last: computing, in collectives, idle. The ranks of one program are on one scale of time. */
function profileParts(
  rows: readonly ProfileStrip[],
  isOneProgram: boolean,
  top: number,
  bottom: number,
  write: Write,
): readonly string[] {
  const gap = 24
  const height = Math.min(140, (bottom - top - gap * (rows.length - 1)) / rows.length)
  const longest = Math.max(...rows.map(({ lengthNs }) => lengthNs))
  const idle = `fill="${mixed('idle', 0.25)}"`
  return rows.flatMap(({ name, lengthNs, computing, inCollectives }, index) => {
    const y = top + index * (height + gap)
    const extent = isOneProgram ? longest : lengthNs
    const pxPerNs = STRIPS.width / extent
    write(name, MARGIN, y + height / 2 + 9, 26, 600, 'text')
    const box = ({ start, end }: Interval, style: string) =>
      `<rect x="${n(STRIPS.x + start * pxPerNs)}" y="${n(y)}" width="${n(Math.max(0.5, (end - start) * pxPerNs))}" height="${n(height)}" ${style}/>`
    return [
      box({ start: 0, end: extent }, `fill="${colour('surface-2')}"`),
      box({ start: 0, end: lengthNs }, idle),
      ...merged(inCollectives, 1 / pxPerNs).map((each) => box(each, `fill="${colour('collective')}"`)),
      ...merged(computing, 1 / pxPerNs).map((each) => box(each, `fill="${colour('device')}"`)),
    ]
  })
}

type Write = (text: string, x: number, y: number, size: number, weight: 400 | 600, hue: string) => void

/** The lesson whose recording is drawn; null for none. */
function lessonOf(route: Route, action: string | null): string | null {
  const led = action === null ? route : readAddress(action)
  return led.page === 'lesson' ? led.id : null
}

/** Of what is in the picture. */
function legendOf({ story, lesson }: Picture): readonly (readonly [words: string, style: string])[] {
  const bars = story.strips.flatMap(({ rows }) => rows.flatMap((row) => row.bars))
  const of = (words: string, kinds: readonly StoryBar['kind'][]) => {
    const bar = bars.find(({ kind }) => kinds.includes(kind))
    return bar ? [[words, fillOf(bar)] as const] : []
  }
  const others = ['host-wait', 'compute', 'transfer', 'collective']
  const isHost = ({ kind }: StoryBar) => !others.includes(kind) && !kind.startsWith('staging-')
  const length = ({ startNs, endNs }: StoryIdle) => endNs - startNs
  const [idle] = story.strips
    .flatMap((strip) => drawnIdle(strip.idle, STRIPS.width / story.lengthNs))
    .toSorted((one, other) => length(other) - length(one))
  return [
    ...(bars.some(isHost) ? [['host at work', `fill="${colour('host')}"`] as const] : []),
    ...of('waiting', ['host-wait']),
    ...(lesson.story.staging ? of('staging buffer', ['staging-filled', 'staging-mapped']) : []),
    ...of('copy', ['transfer']),
    ...of('send, recv', ['collective']),
    ...of('device computing', ['compute']),
    ...(idle ? [['idle', `fill="${mixed(idleHue(idle), 0.25)}"`] as const] : []),
  ]
}

/**
 * @param heading the page's question
 * @param action where a question's page leads; null for a lesson's own page
 * @returns the image, PREVIEW in size
 */
export async function previewSvg(
  page: {
    readonly route: Route
    readonly heading: string
    readonly action: string | null
    readonly profiles?: readonly NamedProfile[]
  },
  type: Type,
  readRecording: ReadRecording,
): Promise<string> {
  const id = lessonOf(page.route, page.action)
  const picture = id === null ? null : await pictureOf(id, readRecording)
  const profiles = picture ? [] : await profilesOf(page.profiles ?? [], id, readRecording)
  const isDrawn = picture !== null || profiles.length > 0
  const parts: string[] = []
  const write: Write = (text, x, y, size, weight, hue) => {
    parts.push(
      `<path transform="translate(${n(x)} ${n(y)})" fill="${colour(hue)}" d="${type.outline(text, size, weight)}"/>`,
    )
  }
  const { width, height } = PREVIEW
  parts.push(`<rect width="${String(width)}" height="${String(height)}" fill="${colour('surface')}"/>`)
  write('Host/Device Lab', MARGIN, 72, 24, 600, 'text')
  const pitch = 'Predict, run it on your own GPU, see why'
  write(pitch, width - MARGIN - type.widthOf(pitch, 24, 400), 72, 24, 400, 'text-2')

  const room = width - 2 * MARGIN
  const size = SIZES.find((each) => wrapped(page.heading, each, room, isDrawn ? 2 : 4, type) !== null) ?? 36
  const lines = wrapped(page.heading, size, room, 4, type) ?? [page.heading]
  let y = isDrawn ? 96 + size : 220 + size
  for (const line of lines) {
    write(line, MARGIN, y, size, 600, 'text')
    y += size * 1.2
  }
  const top = y - size * 0.5
  const bottom = height - 100
  const lengthText = (ns: number) => formatQuantity(ns / 1e6, 'ms')
  const recordedOn = (part: string, adapter: string, legend: ReturnType<typeof legendOf>) => {
    const extent = `${part}, recorded on`
    write(extent, MARGIN, height - 68, fitting(extent, [18, 16, 14], NAMES - 16, 400, type), 400, 'text-2')
    write(
      adapter,
      MARGIN,
      height - 42,
      fitting(adapter, [20, 18, 16, 13], NAMES - 16, 400, type),
      600,
      'text-2',
    )
    let x = width - MARGIN
    for (const [words, style] of legend.toReversed()) {
      x -= type.widthOf(words, 18, 400)
      write(words, x, height - 42, 18, 400, 'text-2')
      x -= 20
      parts.push(`<rect x="${n(x)}" y="${n(height - 55)}" width="14" height="14" ${style}/>`)
      x -= 16
    }
  }
  if (!picture) {
    if (profiles.length === 0) return svg(parts)
    const isOneProgram = page.profiles === undefined
    const longest = Math.max(...profiles.map(({ lengthNs }) => lengthNs))
    parts.push(...profileParts(profiles, isOneProgram, top, bottom, write))
    const devices = new Set(profiles.map(({ device }) => device))
    const part = isOneProgram ? `Up to ${lengthText(longest)}` : 'Each to its own length'
    recordedOn(part, [...devices].join(', '), [
      ['computing', `fill="${colour('device')}"`],
      ...(profiles.some(({ inCollectives }) => inCollectives.length > 0)
        ? [['in a collective', `fill="${colour('collective')}"`] as const]
        : []),
      ['idle', `fill="${mixed('idle', 0.25)}"`],
    ])
    return svg(parts)
  }

  const { story, adapter, figureOf } = picture
  const deepest = Math.max(0, ...story.strips.flatMap(({ depth }) => depth.map(({ value }) => value)))
  const heights = story.strips.map(
    (strip) => bandsOf(strip, picture.lesson.story.staging, STRIPS.width).height,
  )
  const gap = 20
  const whole = heights.reduce((sum, each) => sum + each, 0) + gap * (heights.length - 1)
  // Higher where there is room, never longer: all strips are on one scale of time.
  const stretch = Math.min(
    1.8,
    (bottom - top - gap * (heights.length - 1)) / (whole - gap * (heights.length - 1)),
  )
  let at = top
  story.strips.forEach((strip, index) => {
    const own = (heights[index] ?? 0) * stretch
    parts.push(
      `<g transform="translate(${n(STRIPS.x)} ${n(at)}) scale(1 ${n(stretch)})">${stripOf(strip, picture, deepest)}</g>`,
    )
    const figure = figureOf(strip.variant)
    const figureSize = figure === null ? 0 : fitting(figure, [22, 18], NAMES - 16, 400, type)
    const figureLines =
      figure === null ? [] : (wrapped(figure, figureSize, NAMES - 16, 2, type, 400) ?? [figure])
    const named = fitting(strip.variant, [26, 22, 18, 15], NAMES - 16, 600, type)
    const block = named + figureLines.length * figureSize * 1.2
    let below = at + own / 2 - block / 2 + named * 0.85
    write(strip.variant, MARGIN, below, named, 600, 'text')
    for (const line of figureLines) {
      below += figureSize * 1.25
      write(line, MARGIN, below, figureSize, 400, 'text-2')
    }
    at += own + gap
  })
  recordedOn(`First ${lengthText(story.lengthNs)}`, adapter, legendOf(picture))
  return svg(parts)
}

const svg = (parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${String(PREVIEW.width)}" height="${String(PREVIEW.height)}" viewBox="0 0 ${String(PREVIEW.width)} ${String(PREVIEW.height)}">${parts.join('')}</svg>`
