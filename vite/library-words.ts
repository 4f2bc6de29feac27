/** What is said of a recorded page of another library: of its own report alone, so that another adapter's recording says something else. */
import type { PageReport } from '../cli/record-report'
import type { PageFigure } from '../src/analysis/page-figures'
import { bytesText, counted, durationText, percentText } from '../src/base/figures'

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
