import { describe, expect, it, vi } from 'vitest'
import { TraceBuilder } from '../../trace/builder'
import { writeFile } from '../export-worker/formats'
import { createRunFiles } from './run-files'
import { fakeInfo, fakeReport } from './testing/fake-client'
import { openInPerfetto, PERFETTO_ORIGIN } from './perfetto'

const runFiles = createRunFiles(({ kind, ...run }) => writeFile(kind, run))

function smallTrace() {
  const builder = new TraceBuilder(fakeInfo(), { originMs: 0, stepNs: 5000 })
  const lane = builder.addLane({ kind: 'host', name: 'host', clock: 0, group: 'host' })
  builder.addSpan({ lane, kind: 'encode', start: 0, end: 1000, name: 'encode' })
  return builder.freeze()
}

describe('a run as files', () => {
  it('comes back from its own format, marked as a recording', async () => {
    const bytes = await runFiles.runBytes(smallTrace(), fakeReport())
    const read = await runFiles.readRun(bytes, 'recorded')
    if (!read.ok) throw new Error(read.error.message)
    expect(read.value.report).toEqual(fakeReport())
    expect(read.value.trace.info.origin).toBe('recorded')
    expect(read.value.trace.spans.length).toBe(1)
  })

  it('says what is wrong with a file that is none', async () => {
    const read = await runFiles.readRun(new TextEncoder().encode('hello'), 'recorded')
    expect(read).toMatchObject({ ok: false, error: { code: 'file', data: { problem: 'not-a-run' } } })
  })

  it('is Trace Event JSON too, gzipped', async () => {
    const zipped = await runFiles.file('trace-event-gzip', smallTrace(), null)
    const stream = zipped.stream().pipeThrough(new DecompressionStream('gzip'))
    const { traceEvents } = (await new Response(stream).json()) as {
      traceEvents: { name: string; ph: string }[]
    }
    expect(traceEvents.filter(({ ph, name }) => ph === 'X' && name === 'encode')).toHaveLength(1)
  })
})

const trace = { title: 'a run', fileName: 'run.trace.json.gz', buffer: new ArrayBuffer(8) }

/**
 * A page that is not isolated, with the window that it opens. `answers`: what Perfetto's page says,
 * and from where.
 */
function pageBeside(answers: readonly (readonly [data: string, origin: string])[]) {
  const got: unknown[] = []
  const own = new EventTarget()
  const perfetto = {
    postMessage: (message: unknown, target: string) => {
      got.push([message, target])
      if (message !== 'PING') return
      for (const [data, origin] of answers)
        own.dispatchEvent(Object.assign(new Event('message'), { source: perfetto, origin, data }))
    },
  }
  vi.stubGlobal('crossOriginIsolated', false)
  vi.stubGlobal('window', own)
  vi.stubGlobal('open', (_address: string, _target?: string, features = '') =>
    features.includes('noopener') ? null : perfetto,
  )
  return got
}

it('a page that is not isolated hands a run over itself, once, and to Perfetto alone', async () => {
  const got = pageBeside([
    ['PONG', 'https://other.test'],
    ['something else', PERFETTO_ORIGIN],
    ['PONG', PERFETTO_ORIGIN],
    ['PONG', PERFETTO_ORIGIN],
  ])
  expect(await openInPerfetto(trace)).toContain('Perfetto has the run')
  expect(got).toEqual([
    ['PING', PERFETTO_ORIGIN],
    [{ perfetto: trace }, PERFETTO_ORIGIN],
  ])
})

it('a window that was not opened is said', async () => {
  pageBeside([])
  vi.stubGlobal('open', () => null)
  await expect(openInPerfetto(trace)).rejects.toThrow('pop-ups are blocked')
})
