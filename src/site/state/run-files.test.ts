import { describe, expect, it } from 'vitest'
import { TraceBuilder } from '../../trace/builder'
import { writeFile } from '../export-worker/formats'
import { createRunFiles } from './run-files'
import { fakeInfo, fakeReport } from './testing/fake-client'

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

  it('is Trace Event JSON too, the same gzipped', async () => {
    const text = await (await runFiles.file('trace-event', smallTrace(), null)).text()
    const { traceEvents } = JSON.parse(text) as { traceEvents: { name: string; ph: string }[] }
    expect(traceEvents.filter(({ ph, name }) => ph === 'X' && name === 'encode')).toHaveLength(1)
    const zipped = await runFiles.file('trace-event-gzip', smallTrace(), null)
    const stream = zipped.stream().pipeThrough(new DecompressionStream('gzip'))
    expect(await new Response(stream).text()).toBe(text)
  })
})
