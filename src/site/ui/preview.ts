/** What the pictures of the built site are drawn of: recorded runs of lessons, and recorded profiles. The image of a link as SVG. */
import { loadOnce, type LoadOnce } from '../../base/load-once'
import { loadLesson } from '../../lessons/load'
import type { ExperimentLesson, ProfilesLesson } from '../../lessons/lesson'
import { repeatsBeside, type Excerpt } from '../../strips/excerpt'
import { linkImage, type LinkPicture } from '../../strips/link-image'
import type { Face } from '../../strips/marks'
import { readDeviceStrip, wholeStrips, type DeviceStrip } from '../../strips/of-device'
import { excerptOf } from '../../strips/of-run'
import { LINK_SIZE, type WidthOf } from '../../strips/sheet'
import { mixed, svgFile, svgMarks } from '../../strips/svg'
import { findMetric, type Report } from '../../trace/report'
import { createRunFiles } from '../state/run-files'
import { endedState, type RunState } from '../state/run-store'
import { traceTools } from '../state/trace-tools'
import { readAddress, type Route } from '../state/url'
import { flagOf, formatQuantity } from './format'
import { themeColour } from './theme-colours'

/** Text as outlines: what rasterises the image has no fonts. */
export interface Type {
  readonly widthOf: WidthOf
  /** Data of a path, its baseline at 0, 0. */
  readonly outline: (text: string, face: Face) => string
}

export interface RecordedRun {
  readonly excerpt: Excerpt
  readonly lesson: ExperimentLesson
  readonly report: Report
}

export type ReadRecording = (file: string) => Promise<Uint8Array | null>

/** Several pages show one. */
const shared = <T>(load: (key: string, readRecording: ReadRecording) => Promise<T>) => {
  const known = new WeakMap<ReadRecording, LoadOnce<T>>()
  return (key: string, readRecording: ReadRecording): Promise<T> => {
    const loaded = known.get(readRecording) ?? loadOnce((each: string) => load(each, readRecording))
    known.set(readRecording, loaded)
    return loaded.load(key)
  }
}

/** What was recorded of a lesson; null where it has no run of its own. */
export const recordedRun = shared<RecordedRun | null>(async (id, readRecording) => {
  const lesson = await loadLesson(id)
  if (lesson.kind !== 'experiment') return null
  const bytes = await readRecording(lesson.recording)
  if (bytes === null) return null
  const files = createRunFiles(() => Promise.reject(new Error('nothing is written here')))
  const read = await files.readRun(bytes, 'recorded')
  if (!read.ok) throw new Error(`${lesson.recording}: ${read.error.message}`)
  const run: RunState = endedState('preview', read.value, traceTools)
  const excerpt = excerptOf(run, lesson.excerpt)
  return excerpt && run.report ? { excerpt, lesson, report: run.report } : null
})

/** What was recorded of a profile's device; null where there is none of that name. */
export const recordedDevice = shared<DeviceStrip | null>(async (file, readRecording) => {
  const bytes = await readRecording(file)
  return bytes && (await readDeviceStrip(bytes))
})

/** The ranks of the profile that a lesson shows. */
export async function recordedRanks(
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

/** A file of a recorded profile, and what is said beside it. */
export interface NamedProfile {
  readonly name: string
  readonly file: string
}

interface PreviewPage {
  readonly route: Route
  /** The page's question. */
  readonly heading: string
  /** Where a question's page leads; null for a lesson's own page. */
  readonly action: string | null
  /** Of different programs. */
  readonly profiles?: readonly NamedProfile[]
}

/** The lesson whose recording is drawn; null for none. */
function lessonOf({ route, action }: PreviewPage): string | null {
  const led = action === null ? route : readAddress(action)
  return led.page === 'lesson' ? led.id : null
}

const lengthText = (ns: number): string => formatQuantity(ns / 1e6, 'ms')

function pictureOfRun({ excerpt, lesson, report }: RecordedRun): LinkPicture {
  const { figure, words, staging } = lesson.excerpt
  return {
    excerpts: [excerpt],
    lanes: staging ? 'all' : 'no-staging',
    asShares: false,
    figureOf: (variant) => {
      const metric = findMetric(report.metrics, figure, variant)
      if (metric?.value == null) return null
      const flag = flagOf(metric)
      return `${words} ${formatQuantity(metric.value, metric.unit, figure)}${flag === '' ? '' : ` (${flag})`}`
    },
    part: `First ${lengthText(excerpt.lengthNs)}${repeatsBeside(excerpt) > 0 ? ' of a typical repeat' : ''}`,
    adapter: report.environment.adapterName,
  }
}

/** The profiles that a page names, or else the ranks of its lesson's; null where neither has any. */
async function pictureOfProfiles(
  page: PreviewPage,
  id: string | null,
  readRecording: ReadRecording,
): Promise<LinkPicture | null> {
  const named = await Promise.all(
    (page.profiles ?? []).map(async ({ name, file }) => {
      const strip = await recordedDevice(file, readRecording)
      return strip ? [{ ...strip, variant: name }] : []
    }),
  )
  const programs = named.flat()
  const lesson = programs.length > 0 || id === null ? null : await loadLesson(id)
  const ranks = lesson?.kind === 'profiles' ? await recordedRanks(lesson, readRecording) : []
  const strips = [...programs, ...ranks]
  if (strips.length === 0) return null
  const oneProgram = wholeStrips(ranks)
  return {
    excerpts: programs.length > 0 ? programs.map((strip) => wholeStrips([strip])) : [oneProgram],
    lanes: 'work',
    asShares: true,
    figureOf: () => null,
    part: programs.length > 0 ? 'Each to its own length' : `Up to ${lengthText(oneProgram.lengthNs)}`,
    adapter: [...new Set(strips.map(({ device }) => device))].join(', '),
  }
}

/** Light, since it stands on other people's pages. */
const light = (hue: string): string => themeColour(hue)[0]

/** @returns the image, LINK_SIZE in size */
export async function previewSvg(
  page: PreviewPage,
  { widthOf, outline }: Type,
  readRecording: ReadRecording,
): Promise<string> {
  const id = lessonOf(page)
  const run = id === null ? null : await recordedRun(id, readRecording)
  const picture = run ? pictureOfRun(run) : await pictureOfProfiles(page, id, readRecording)
  const marks = linkImage(page.heading, picture, widthOf)
  return svgFile(LINK_SIZE, svgMarks(marks, { paintOf: (each) => mixed(light, each), outline }))
}
