/**
 * Recordings of pages of other libraries (`npm run bench -- libraries`) and what they show, worked out of them anew by each build. Library, version and licence were marked in the recording by the page itself.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { PageReport } from '../cli/record-report'
import { reported } from '../cli/reported-page'
import type { PageFigure } from '../src/analysis/page-figures'
import { bytesText, counted, durationText, percentText } from '../src/base/figures'
import { adapterNameOf, marksOf } from '../src/trace/schema'

const FOLDER = join(import.meta.dirname, '../public/recordings/libraries')

const BOXES = 'The same boxes in each engine, every one turned in each frame.'
const NETWORK = 'A small network, batch by batch; each answer is read before the next batch.'
/** What each page does: bench/libraries/programs. */
const PAGES = [
  { name: 'three', does: BOXES },
  { name: 'playcanvas', does: BOXES },
  { name: 'tensorflow', does: NETWORK },
  { name: 'jax', does: NETWORK },
] as const

async function read({ name, does }: (typeof PAGES)[number]) {
  const { trace, report } = await reported(join(FOLDER, `${name}.hdl.gz`))
  const marks = marksOf(trace)
  const marked = (what: string) =>
    marks.find((mark) => mark.startsWith(`${what}: `))?.slice(`${what}: `.length) ?? null
  const [library, checked] = [marked('library'), marked('checked')]
  if (library === null || checked === null)
    throw new Error(`${name}.hdl.gz does not say which library it is of, or was not checked by its page.`)
  const [title = '', licence = ''] = library.split(', ')
  return {
    id: `library-${name}`,
    file: `libraries/${name}.hdl.gz`,
    title,
    licence,
    adapter: adapterNameOf(trace.info),
    day: trace.info.startedAt.slice(0, 10),
    does:
      does === BOXES && report.url.endsWith('?texture')
        ? `${does} Drawn into a texture in place of a canvas.`
        : does,
    checked,
    ...libraryWords(report),
  }
}

/** Files of the lab in such a page: what these do is no finding about the library. */
const OWN_FILES = ['index.html', 'page.js', 'boxes.js', 'network.js']
const MOST_FINDINGS = 2

/** 'https://a.test/three/three.webgpu.js:1 (draw)' without the site: 'three.webgpu.js:1 (draw)'. */
const inLibrary = (line: string): string => line.replace(/^\w+:\/\/[^/]+\/(?:[^/ ]+\/)*/, '')
const isOwn = (line: string): boolean => OWN_FILES.includes(inLibrary(line).replace(/[?:].*$/, ''))

function ofFrames({ frames, figures }: PageReport): string {
  const of = (name: PageFigure) => figures[name] ?? 0
  const count = of('writesPerFrame')
  const writes = count > 0 ? counted(count, 'call') : 'no calls'
  const bytes = count > 0 ? `, ${bytesText(of('bytesWrittenPerFrame'))} in all` : ''
  return `A frame has ${counted(of('drawsPerFrame'), 'draw')} in ${counted(of('passesPerFrame'), 'pass', 'passes')}, ${counted(of('submitsPerFrame'), 'submit')}, and ${writes} of writeBuffer()${bytes} (medians of ${counted(frames.submitting, 'frame')}).`
}

const ofRun = ({ submits, us, waits, waitedUs }: NonNullable<PageReport['run']>): string =>
  `It submits ${counted(submits, 'time')} and waits ${counted(waits, 'time')} in ${durationText(us * 1e3)}; the waits take ${percentText(Math.min(1, waitedUs / us))} of that.`

/** What the library does again and again; what lessons mend is what its page asked for, and has its place in the sentence before. */
const findingsOf = ({ findings, verdicts }: PageReport) =>
  findings
    .filter(({ what }) => !verdicts.includes(what))
    .filter(({ lesson, lines }) => lesson === null && lines.length > 0 && !lines.every(isOwn))
    .slice(0, MOST_FINDINGS)

/**
 * What is said of a recorded page of another library: of its own report alone, so that another adapter's recording says something else.
 * @internal
 */
export function libraryWords(report: PageReport): {
  readonly paragraph: string
  readonly lines: readonly string[]
} {
  const { frames, run, verdicts } = report
  const found = findingsOf(report)
  const whats = found.map(
    ({ what, evidence }) =>
      `${what.replace(/\.$/, '')}: ${evidence.charAt(0).toLowerCase()}${evidence.slice(1)}`,
  )
  const paragraph = [
    ...(frames.submitting > 0 ? [ofFrames(report)] : run ? [ofRun(run)] : []),
    ...verdicts.slice(0, 1),
    ...(whats.length > 0 ? whats : ['Nothing else stands out in it.']),
  ].join(' ')
  const lines = found.flatMap(({ lines: all }) => all.filter((line) => !isOwn(line)).slice(0, 1))
  return { paragraph, lines: lines.map(inLibrary) }
}

export async function libraryRecordings() {
  const kept = PAGES.filter(({ name }) => existsSync(join(FOLDER, `${name}.hdl.gz`)))
  return { libraries: await Promise.all(kept.map(read)) }
}
