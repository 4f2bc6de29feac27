import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deviceWindows } from './device-windows'
import { findGaps } from './gaps'
import { MS, Scene, type SceneOptions } from './testing/scene'

/**
 * Two passes of 1 ms with the device idle from 11 to 15 ms in between; the second belongs to
 * submission 2.
 */
function idleFrom11To15(host: (scene: Scene) => void, options?: SceneOptions) {
  const scene = new Scene(options)
  scene.submit(1, 9)
  scene.pass(1, 10, 11, { step: 0 })
  host(scene)
  scene.pass(2, 15, 16, { step: 1 })
  const placed = scene.place()
  return { placed, gaps: findGaps(placed) }
}

describe('findGaps', () => {
  it('finds none in an empty trace, after one pass, or between passes that touch or overlap', () => {
    expect(findGaps(new Scene().place())).toEqual([])
    const one = new Scene()
    one.pass(1, 10, 11)
    expect(findGaps(one.place())).toEqual([])
    const touching = new Scene()
    touching.pass(1, 10, 11)
    touching.pass(2, 11, 12)
    touching.pass(3, 11.5, 11.6)
    expect(findGaps(touching.place())).toEqual([])
  })

  it('measures from the last end so far: an early-stamped short pass hides nothing', () => {
    const scene = new Scene()
    const long = scene.pass(1, 10, 14)
    scene.pass(2, 11, 12)
    const after = scene.pass(3, 15, 16)
    expect(findGaps(scene.place())).toMatchObject([{ before: long, after, durationNs: MS }])
  })

  it('takes neither warm-up nor the time between repeats or variants for a gap', () => {
    const scene = new Scene()
    scene.pass(1, 10, 11, { repeat: -2 })
    scene.pass(2, 13, 14, { repeat: -2 })
    scene.pass(3, 20, 21, { repeat: 0 })
    scene.pass(4, 30, 31, { repeat: 1 })
    scene.pass(5, 40, 41, { repeat: 1, variant: 'w' })
    expect(findGaps(scene.place())).toEqual([])
  })

  it('does not call a bracketed copy idleness', () => {
    const scene = new Scene()
    scene.pass(1, 10, 11)
    scene.upload(1, 11, 13, 4096)
    scene.pass(1, 12.9, 13)
    expect(findGaps(scene.place())).toEqual([])
    const partly = new Scene()
    partly.pass(1, 10, 11)
    partly.upload(1, 12, 13, 4096)
    partly.pass(1, 15, 16)
    expect(findGaps(partly.place()).map((gap) => gap.durationNs)).toEqual([MS, 2 * MS])
  })

  it('host-waited: the host awaited a result before it submitted what came next', () => {
    const { placed, gaps } = idleFrom11To15((scene) => {
      scene.onHost('host-wait', 'await mapAsync(): readback', 9.1, 14, { submission: 1 })
      scene.onHost('encode', 'encode step 1', 14, 14.2)
      scene.submit(2, 14.2)
    })
    expect(gaps).toMatchObject([{ cause: 'host-waited', durationNs: 4 * MS, repeat: 0 }])
    const [gap] = gaps
    expect(gap?.evidence).toContain('await mapAsync(): readback')
    expect(gap?.evidence).toContain('3 ms of the 3.2 ms')
    expect(gap?.spans.map((span) => placed.trace.strings[placed.trace.spans.name[span] ?? -1])).toEqual([
      'await mapAsync(): readback',
      'submit 2',
    ])
    expect(Math.abs((gap?.startNs ?? 0) - 11 * MS)).toBeLessThan(0.02 * MS)
  })

  it('upload-not-ready: it waited for a staging buffer, or was filling one', () => {
    const waiting = idleFrom11To15((scene) => {
      scene.onHost('host-wait', 'await staging 0: mapAsync()', 9.1, 14, { role: 'wait-staging' })
      scene.submit(2, 14.2)
    })
    expect(waiting.gaps).toMatchObject([{ cause: 'upload-not-ready' }])
    const filling = idleFrom11To15((scene) => {
      scene.onHost('host-wait', 'await onSubmittedWorkDone()', 9.1, 11.5)
      scene.onHost('host-work', 'fill staging 0', 11.5, 14, { role: 'fill' })
      scene.submit(2, 14.2)
    })
    expect(filling.gaps).toMatchObject([{ cause: 'upload-not-ready' }])
    expect(filling.gaps[0]?.evidence).toContain('filled staging memory for 2.5 ms')
  })

  it('upload-not-ready: it waited for its loader, whose own thread’s work is not the host’s', () => {
    const { gaps } = idleFrom11To15((scene) => {
      const lane = scene.builder.addLane({ kind: 'host', name: 'host (loader)', clock: 0, group: 'host' })
      scene.builder.addSpan({
        ...scene.tag,
        lane,
        kind: 'host-work',
        role: 'compute',
        name: 'make batch 1',
        start: 9.1 * MS,
        end: 14 * MS,
      })
      scene.onHost('host-wait', 'the loader’s next batch', 9.1, 13, { role: 'wait-batch' })
      scene.onHost('host-work', 'fill staging 0', 13, 14, { role: 'fill' })
      scene.submit(2, 14.2)
    })
    expect(gaps).toMatchObject([{ cause: 'upload-not-ready' }])
    expect(gaps[0]?.evidence).toContain(
      'waited for its loader for 2 ms, filled staging memory for 1 ms and waited for a staging buffer for 0',
    )
  })

  it('host-late: it was at work, recorded or not, and had nothing queued', () => {
    const { gaps } = idleFrom11To15((scene) => {
      scene.onHost('host-work', 'prepare', 9.1, 12)
      scene.onHost('encode', 'encode step 1', 13, 14.2)
      scene.submit(2, 14.2)
    })
    expect(gaps).toMatchObject([{ cause: 'host-late' }])
    expect(gaps[0]?.evidence).toMatch(/^For 3.2 ms of the 3.2 ms .* awaited nothing/)
  })

  it('launch-overhead: the pass had been submitted before the gap began', () => {
    const { gaps } = idleFrom11To15((scene) => scene.submit(2, 9.5))
    expect(gaps).toMatchObject([{ cause: 'launch-overhead' }])
    expect(gaps[0]?.evidence).toContain('before the gap began')
  })

  it('launch-overhead within one submission, with no clock fit at all', () => {
    const scene = new Scene({ boundMs: null })
    scene.pass(1, 10, 11)
    scene.pass(1, 12, 13)
    const [gap] = findGaps(scene.place())
    expect(gap).toMatchObject({ cause: 'launch-overhead', durationNs: MS })
    expect(gap?.startNs).toBeNaN()
  })

  it('upload-not-ready when the queued submission carries the bytes and they fill the gap; not when they had long crossed', () => {
    const recent = idleFrom11To15((scene) => {
      scene.submit(2, 10.5)
      scene.upload(2, 14.99, 15, 64 * 2 ** 20)
    })
    expect(recent.gaps).toMatchObject([{ cause: 'upload-not-ready' }])
    expect(recent.gaps[0]?.evidence).toContain('64 MiB')
    const scene = new Scene()
    scene.submit(1, 1)
    scene.submit(2, 2)
    scene.pass(1, 3, 50)
    scene.upload(2, 50.04, 50.05, 64 * 2 ** 20)
    scene.pass(2, 50.05, 51)
    expect(findGaps(scene.place())).toMatchObject([{ cause: 'launch-overhead', durationNs: 0.04 * MS }])
  })

  it('upload-not-ready when writeBuffer() put bytes into the queue that take a part of the gap at any rate, and not for a few', () => {
    const behind = (bytes: number) =>
      idleFrom11To15((scene) => {
        scene.onHost('host-work', 'write', 9.5, 10.4, { role: 'write', bytes })
        scene.submit(2, 10.5)
      }).gaps
    expect(behind(16 * 2 ** 20)).toMatchObject([{ cause: 'upload-not-ready' }])
    expect(behind(16 * 2 ** 20)[0]?.evidence).toContain('16 MiB from writeBuffer()')
    expect(behind(4)).toMatchObject([{ cause: 'launch-overhead' }])
    // It belongs to the submission behind it, and to no later one.
    const later = idleFrom11To15((scene) => {
      scene.onHost('host-work', 'write', 8, 8.5, { role: 'write', bytes: 16 * 2 ** 20 })
      scene.submit(2, 10.5)
    })
    expect(later.gaps).toMatchObject([{ cause: 'launch-overhead' }])
  })

  it('unknown: no fit, nothing recorded, or a bound wider than the gap', () => {
    const noFit = idleFrom11To15((scene) => scene.submit(2, 14), { boundMs: null })
    expect(noFit.gaps).toMatchObject([{ cause: 'unknown' }])
    expect(noFit.gaps[0]?.evidence).toContain('could not be tied')
    const noSubmit = idleFrom11To15(() => undefined)
    expect(noSubmit.gaps[0]).toMatchObject({ cause: 'unknown' })
    expect(noSubmit.gaps[0]?.evidence).toContain('No submit()')
    const silent = idleFrom11To15((scene) => scene.submit(2, 14))
    expect(silent.gaps[0]).toMatchObject({ cause: 'unknown' })
    expect(silent.gaps[0]?.evidence).toContain('No host activity was recorded')
    const wide = idleFrom11To15((scene) => scene.submit(2, 11.5), { boundMs: 3 })
    expect(wide.gaps[0]).toMatchObject({ cause: 'unknown' })
    expect(wide.gaps[0]?.evidence).toContain('agree only to')
  })

  it('decides in spite of a bound wider than the gap when submit() came long before', () => {
    const { gaps } = idleFrom11To15((scene) => scene.submit(2, 1), { boundMs: 3 })
    expect(gaps).toMatchObject([{ cause: 'launch-overhead' }])
  })

  it('together with the passes fills each window exactly', () => {
    const lengths = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: -2, max: 4 })), {
      minLength: 1,
      maxLength: 30,
    })
    fc.assert(
      fc.property(lengths, (passes) => {
        const scene = new Scene()
        let at = 20
        for (const [length, pause] of passes) {
          at = Math.max(20, at + pause)
          scene.pass(1, at, at + length)
          at += length
        }
        const placed = scene.place()
        const [window] = deviceWindows(placed.trace)
        const idleNs = findGaps(placed).reduce((sum, gap) => sum + gap.durationNs, 0)
        expect((window?.busyNs ?? NaN) + idleNs).toBe(window?.extentNs)
      }),
    )
  })
})
