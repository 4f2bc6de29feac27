import { expect, it } from 'vitest'
import { openTraceFile } from '../src/trace/formats/import/open-trace'
import { profileParts } from './import-profile'

it.each([2000, 2345, 12_048])(
  'a made-up profile of %d events has so many, and all are read',
  async (events) => {
    const text = [...profileParts(events)].join('')
    const { traceEvents } = JSON.parse(text) as { traceEvents: readonly { ph: string }[] }
    expect(traceEvents).toHaveLength(events)
    const opened = await openTraceFile(new TextEncoder().encode(text))
    if (!opened.ok) throw new Error(opened.error.message)
    expect(opened.value.skipped).toEqual([])
    expect(opened.value.trace.spans.length).toBe(traceEvents.filter(({ ph }) => ph === 'X').length)
  },
)
