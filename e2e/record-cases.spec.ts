/**
 * `lab record URL` on pages written after public bug reports (cases/): what must come out of each.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PageReport } from '../cli/record-report'
import { spanKindIndex, type Trace } from '../src/trace/schema'
import { command, recordedIn } from './command'
import { expect, test } from './fixtures'
import { serving } from './serving'

const FOLDER = join(import.meta.dirname, 'cases')

interface Recorded {
  readonly report: PageReport
  readonly trace: Trace
  readonly stdout: string
}
type Expectation = (recorded: Recorded) => void

const spansOf = ({ spans }: Trace, kind: Parameters<typeof spanKindIndex>[0]) =>
  Array.from({ length: spans.length }, (_, span) => span).filter(
    (span) => spans.kind[span] === spanKindIndex(kind),
  )
const findingOf = ({ report }: Recorded, what: RegExp) =>
  report.findings.find((finding) => what.test(`${finding.what} ${finding.mend}`))

const CASES: Readonly<Record<string, Expectation>> = {
  '28-four-bytes-behind-a-long-queue': ({ report, trace }) => {
    expect(report).toMatchObject({ submits: 3, passes: { compute: 120 } })
    expect(report.verdicts[0]).toMatch(/^The GPU sets the pace/)
    expect(report.findings).toEqual([])
    const { start, end } = trace.spans
    const lengthOf = (span: number) => (end[span] ?? 0) - (start[span] ?? 0)
    const passes = spansOf(trace, 'compute')
    const waits = spansOf(trace, 'host-wait')
    expect(waits).toHaveLength(3)
    for (const wait of waits) {
      const own = passes.filter((pass) => trace.spans.submission[pass] === trace.spans.submission[wait])
      const busyNs = own.reduce((sum, pass) => sum + lengthOf(pass), 0)
      expect(busyNs / lengthOf(wait)).toBeGreaterThan(0.8)
    }
  },
  '29-pipelines-in-the-first-frame': (recorded) => {
    expect(recorded.report.startup?.pipelines).toBe(40)
    const first = findingOf(recorded, /^The first frame took .*, against a median of /)
    expect(first?.mend).toContain('createComputePipelineAsync()')
    expect(first?.lines[0]).toContain('/29-')
  },
  '31-a-submit-for-each-kernel': (recorded) => {
    const { report, stdout } = recorded
    expect(report.figures).toMatchObject({ submitsPerFrame: 15, passesPerFrame: 12, emptySubmitsPerFrame: 3 })
    expect(report.vain).toEqual({ empty: 90, void: 0 })
    expect(findingOf(recorded, /^A frame submits 3 times without a command buffer/)).toBeDefined()
    expect(stdout).toContain(': software on the CPU, no GPU.')
  },
  '34-a-canvas-copied-each-frame': (recorded) => {
    expect(recorded.report.figures).toMatchObject({ imagesPerFrame: 4, imageBytesPerFrame: 16_777_216 })
    const copies = findingOf(recorded, /^A frame copies 4 images to textures/)
    expect(copies?.evidence).toMatch(/They total 16 MiB a frame, and the calls take [\d.]+ [mµ]s of it/)
    expect(copies?.lines[0]).toMatch(/\/34-.*\(draw\)$/)
  },
  '35-a-device-lost-and-made-anew': ({ report, trace, stdout }) => {
    expect(report).toMatchObject({ submits: 11, vain: { empty: 0, void: 1 }, devices: 2 })
    expect(report.lost).toEqual(['destroyed by the page'])
    expect(report.verdicts[0]).not.toContain('sets the pace')
    expect(stdout).toContain('11 submits (1 to a lost device, to 2 devices)')
    const lanes = spansOf(trace, 'queued').map((span) => trace.spans.lane[span])
    expect([...new Set(lanes)].map((lane) => lanes.filter((each) => each === lane).length)).toEqual([5, 5])
  },
  '36-readbacks-that-nobody-waits-for': (recorded) => {
    expect(recorded.report.figures.readbacksAwaitedAtOnce).toBe(0)
    expect(findingOf(recorded, /read|mapAsync/i)).toBeUndefined()
  },
  '50-script-between-submissions': ({ report }) => {
    const [first] = report.findings
    expect(first?.evidence).toMatch(/^The script runs .* of it in tokenize\.$/)
    expect(first?.lines).toEqual([expect.stringMatching(/\/50-.*\.html:20 \(tokenize\)$/)])
  },
}

const pages = new Map(readdirSync(FOLDER).map((name) => [`/${name}`, readFileSync(join(FOLDER, name))]))
const port = serving(({ url = '' }, response) =>
  response.setHeader('content-type', 'text/html').end(pages.get(url)),
)

for (const [name, expectIt] of Object.entries(CASES))
  test(`${name.replaceAll('-', ' ')}: what comes out is what its maintainers say`, async () => {
    const out = test.info().outputPath('out')
    const until = ['--until', "document.title === 'done'", '--adapter', 'software', '--out', out]
    const page = `http://localhost:${String(port())}/${name}.html`
    const { stdout, stderr, code } = await command(['cli/lab.mjs', 'record', page, ...until])
    expect([stderr, code]).toEqual(['', 0])
    expectIt({ ...(await recordedIn(out)), stdout })
  })
