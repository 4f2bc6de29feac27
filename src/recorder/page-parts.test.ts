/** What recorder.js adds to a session, on the fake WebGPU: counts a frame, frames, places of calls. page.ts itself is tried in a browser. */
import { afterEach, describe, expect, it } from 'vitest'
import { fakeRealm } from '../testing/fake-webgpu'
import type { Trace } from '../trace/schema'
import { CallSites } from './call-sites'
import { Counts } from './counts'
import { Frames } from './frames'
import { record, stopRecording, USAGE } from './testing/record'
import { spansOf } from './testing/spans'

afterEach(stopRecording)

const samplesOf = ({ counters }: Trace, name: string): readonly number[] => [
  ...(counters.find((counter) => counter.name === name)?.value ?? []),
]

describe('frames', () => {
  it('are windows from turn to turn, with what was counted in each', () => {
    let callbacks: ((time: number) => void)[] = []
    const page = {
      requestAnimationFrame(callback: (time: number) => void): number {
        return callbacks.push(callback)
      },
    }
    const turn = (time: number) => {
      const due = callbacks
      callbacks = []
      for (const callback of due) callback(time)
    }
    let frames: Frames | null = null
    const original = page.requestAnimationFrame.bind(page)
    const { session, device } = record(
      {},
      {
        rows: ({ journal, natives }) => {
          const counts = new Counts(journal, natives)
          frames = new Frames(journal, (startNs) => {
            counts.sample(startNs)
          })
          return [...counts.patches(fakeRealm), ...frames.patches(page)]
        },
      },
    )
    const buffer = device.createBuffer({ size: 1024, usage: USAGE.copyDst })
    const write = (words: number) => {
      device.queue.writeBuffer(buffer, 0, new Float32Array(words))
    }
    // Two callbacks of one turn are one frame.
    for (let frame = 0; frame < 3; frame += 1) {
      page.requestAnimationFrame(() => {
        write(4)
      })
      page.requestAnimationFrame(() => {
        write(200)
      })
      turn(frame * 16)
    }
    page.requestAnimationFrame(() => undefined)
    turn(48)
    ;(frames as Frames | null)?.end()
    session.stop()
    const trace = session.freeze()
    expect(spansOf(trace, { kind: 'window' })).toHaveLength(3)
    // Before the first frame, the three, and the last one, which has no end.
    expect(samplesOf(trace, 'writeBuffer calls')).toEqual([2, 2, 2, 0])
    expect(samplesOf(trace, 'writeBuffer bytes')).toEqual([816, 816, 816, 0])
    expect(samplesOf(trace, 'writeBuffer calls up to 256 bytes')).toEqual([1, 1, 1, 0])
    expect(samplesOf(trace, 'buffers made')).toEqual([1, 0, 0, 0, 0])
    expect(trace.counters.map(({ name }) => name)).not.toContain('draws')
    expect(page.requestAnimationFrame.toString()).not.toBe(original.toString())
  })
})

describe('stacks', () => {
  it.each([
    [
      '    at draw (http://a.test/app.js?v=1:12:7)',
      { caller: 'draw', url: 'http://a.test/app.js?v=1', line: 12, column: 7 },
    ],
    ['    at http://a.test/app.js:3:1', { caller: '', url: 'http://a.test/app.js', line: 3, column: 1 }],
    [
      '    at async Loop.step (http://a.test/l.js:3:1)',
      { caller: 'Loop.step', url: 'http://a.test/l.js', line: 3, column: 1 },
    ],
    ['draw@http://a.test/app.js:12:7', { caller: 'draw', url: 'http://a.test/app.js', line: 12, column: 7 }],
  ])('%s', (line, frame) => {
    const stacks = ['Error\n    at http://a.test/recorder.js:1:1', `Error\n${line}`]
    const sites = new CallSites(() => stacks.shift())
    sites.saw('submit')
    expect(sites.all).toEqual([{ role: 'submit', ...frame, looked: 1 }])
  })

  it('are looked at for the first calls, then for one of many', () => {
    const sites = new CallSites()
    for (let call = 0; call < 1000; call += 1) sites.saw('submit')
    const looked = sites.all.map((site) => site.looked)
    // This whole file is one script with call-sites.ts to nobody: the caller is this line.
    expect(looked).toEqual([64 + Math.floor(1000 / 64) - 1])
    expect(sites.all[0]?.role).toBe('submit')
  })
})
