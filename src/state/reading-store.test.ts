import { describe, expect, it, vi } from 'vitest'
import type { Fault } from '../base/fault'
import { fail, succeed } from '../base/result'
import { createReadingClient, type Reading, type ReadingClient, type ReadingEnding } from '../reading/client'
import { createReadingStore, readAnyFile, type OpenRequest } from './reading-store'

const trace = {} as Reading['trace']
const reading = { trace, placed: {}, gaps: [], report: null, format: 'trace-event' } as unknown as Reading
const done: ReadingEnding = { status: 'done', reading }

function setup() {
  const asked: { readonly signal: AbortSignal | undefined; readonly end: (ending: ReadingEnding) => void }[] =
    []
  const reader: ReadingClient = {
    read: (_, { signal, onProgress }) =>
      new Promise((end) => {
        onProgress?.({ fraction: 0.5, phase: 'Reading the events' })
        asked.push({ signal, end })
      }),
  }
  const runs = { load: vi.fn() }
  const opened = createReadingStore(reader, runs)
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
  }
  return { asked, runs, opened, settle, state: () => opened.store.getState() }
}

const request = (name: string): OpenRequest => ({
  name,
  from: '',
  origin: 'imported',
  take: () => Promise.resolve(succeed(new Uint8Array(1))),
})

describe('the file on the page', () => {
  it('is shown when it is read, and the run store has it placed', async () => {
    const { asked, runs, opened, settle, state } = setup()
    const opening = opened.open(request('a.json'))
    await settle()
    expect(state().reading).toEqual({
      name: 'a.json',
      progress: { fraction: 0.5, phase: 'Reading the events' },
    })
    asked[0]?.end(done)
    await opening
    expect(state()).toMatchObject({
      reading: null,
      fault: null,
      shown: { name: 'a.json', format: 'trace-event' },
    })
    expect(runs.load).toHaveBeenCalledWith('trace', { trace, report: null, placed: {}, gaps: [] })
  })

  it('stays when the next cannot be read, or not even be had', async () => {
    const { asked, runs, opened, settle, state } = setup()
    const first = opened.open(request('a.json'))
    await settle()
    asked[0]?.end(done)
    await first
    const second = opened.open(request('b.json'))
    await settle()
    const fault: Fault = { code: 'file', message: 'The file is empty.' }
    asked[1]?.end({ status: 'failed', fault })
    await second
    expect(state().fault?.message).toBe('b.json: The file is empty.')
    await opened.open({ ...request('c'), take: () => Promise.resolve(fail(fault)) })
    expect(state().fault?.message).toBe('c: The file is empty.')
    await opened.open({ ...request('d'), take: () => Promise.reject(new TypeError('no network')) })
    expect(state()).toMatchObject({ reading: null, shown: { name: 'a.json' } })
    expect(state().fault?.message).toContain('no network')
    expect(runs.load).toHaveBeenCalledTimes(1)
  })

  it('is the one asked for last, whatever comes when', async () => {
    const { asked, runs, opened, settle, state } = setup()
    const first = opened.open(request('a.json'))
    await settle()
    const second = opened.open(request('b.json'))
    await settle()
    expect(asked[0]?.signal?.aborted).toBe(true)
    asked[1]?.end(done)
    asked[0]?.end(done)
    await Promise.all([first, second])
    expect(state().shown?.name).toBe('b.json')
    expect(runs.load).toHaveBeenCalledTimes(1)
  })

  it('is not shown once it is cancelled, and no fault is made of that', async () => {
    const { asked, runs, opened, settle, state } = setup()
    const opening = opened.open(request('a.json'))
    await settle()
    opened.cancel()
    expect(asked[0]?.signal?.aborted).toBe(true)
    asked[0]?.end(done)
    await opening
    expect(state()).toEqual({ reading: null, fault: null, shown: null })
    expect(runs.load).not.toHaveBeenCalled()
  })
})

it('any file as a run: a fault where the reader could not start', async () => {
  const reader = createReadingClient(() => {
    throw new TypeError('no workers here')
  })
  const read = await readAnyFile(reader, new Blob([]), { origin: 'imported', gaps: 'of-repeats' })
  expect(read).toMatchObject({ ok: false, error: { message: 'TypeError: no workers here' } })
})
