import { describe, expect, it } from 'vitest'
import { FRAME_CALLBACKS, FRAME_REQUESTS, RECORDED_PAGE, TIMER_SUBMITS, type Trace } from '../trace/schema'
import { analyse } from './diagnosis'
import { heldWaits } from './held-waits'
import { summariseDevices } from './devices'
import { pageFigures } from './page-figures'
import { placeTrace } from '../trace/place'
import { MS, Scene } from './testing/scene'

const page = (scene: Scene): Trace => {
  const { trace } = scene.place()
  return { ...trace, info: { ...trace.info, experiment: RECORDED_PAGE } }
}
/**
 * In each turn of `everyMs` a pass of 1 ms is submitted, and its result awaited from 1.1 to
 * `untilMs`.
 */
function turns(everyMs: number, untilMs: number, add: (scene: Scene, startMs: number, turn: number) => void) {
  const scene = new Scene()
  const waits: number[] = []
  for (let turn = 0; turn < 6; turn += 1) {
    const at = turn * everyMs
    scene.tag = { repeat: turn }
    scene.onHost('submit', 'submit', at + 1, at + 1.05, { submission: turn, role: 'submit' })
    scene.pass(turn, at + 1.1, at + 2.1)
    const tag = { submission: turn, role: 'wait-map' } as const
    waits.push(scene.onHost('host-wait', 'await mapAsync(r)', at + 1.1, at + untilMs, tag))
    add(scene, at, turn)
  }
  return { trace: page(scene), waits }
}
const heldOf = ({ trace, waits }: ReturnType<typeof turns>) => waits.map(heldWaits(trace))
const frame = (everyMs: number) => (scene: Scene, at: number, turn: number) => {
  const lane = scene.host
  const counter = turn === 0 ? scene.builder.addCounter({ name: FRAME_CALLBACKS, unit: 'ns', lane }) : 0
  scene.builder.addCounterSample(counter, at * MS, 1.1 * MS)
  if (turn < 5) scene.onHost('window', 'frame', at, at + everyMs)
}

it('a wait holds back where the next submission follows it', () => {
  const loop = turns(4, 4.5, () => undefined)
  // The last is behind the loop.
  expect(heldOf(loop)).toEqual([true, true, true, true, true, false])
  expect(pageFigures(loop.trace).values.readbacksAwaitedAtOnce).toBe(5)
})

it('results that nobody joins hold nothing back: frames, timers and later submissions come by themselves', () => {
  const inFrames = turns(16, 4, frame(16))
  expect(heldOf(inFrames)).not.toContain(true)
  expect(pageFigures(inFrames.trace).values.readbacksAwaitedAtOnce).toBe(0)
  expect(heldOf(turns(4, 9, () => undefined))).not.toContain(true)
  const timed = turns(16, 14, () => undefined)
  expect(heldOf(timed)[0]).toBe(true)
  const ofTimers = turns(16, 14, (scene, at, turn) => {
    const lane = scene.host
    const counter = turn === 0 ? scene.builder.addCounter({ name: TIMER_SUBMITS, unit: 'ns', lane }) : 0
    scene.builder.addCounterSample(counter, (at + 0.9) * MS, 16 * MS)
  })
  expect(heldOf(ofTimers)).not.toContain(true)
  // A hundred ms in which nothing is recorded are no consequence of two.
  expect(heldOf(turns(100, 3, () => undefined))).not.toContain(true)
})

it('a script that is known to run from the result to the next submission follows from it', () => {
  const busy = turns(100, 3, (scene, at) => scene.onHost('other', 'task', at + 3, at + 101, { role: 'task' }))
  expect(heldOf(busy)).toEqual([true, true, true, true, true, false])
})

it('a frame that is late for a result was held back by it', () => {
  const late = turns(50, 40, (scene, at, turn) => {
    if (turn < 5) scene.onHost('window', 'frame', at, at + (turn === 2 ? 50 : 16))
    // Frames without a submission between.
    if (turn !== 2 && turn < 5)
      for (const more of [16, 33])
        scene.onHost('window', 'frame', at + more, at + more + 16, { repeat: 90 + more })
  })
  expect(heldOf(late)).toEqual([false, false, true, false, false, false])
})

it('a late frame that was requested before the result was held back by something else', () => {
  const requestedAt = (ms: number) =>
    turns(50, 40, (scene, at, turn) => {
      const lane = scene.host
      const counter = turn === 0 ? scene.builder.addCounter({ name: FRAME_REQUESTS, unit: 'ns', lane }) : 0
      scene.builder.addCounterSample(counter, at * MS, (50 - ms) * MS)
      if (turn < 5) scene.onHost('window', 'frame', at, at + 50)
    })
  expect(heldOf(requestedAt(2))).not.toContain(true)
  expect(heldOf(requestedAt(41))).toEqual([true, true, true, true, true, false])
})

it('the gap before a frame is the frame’s, not that of a result which nobody awaits', () => {
  const { trace } = turns(16, 4, frame(16))
  const [device] = summariseDevices(placeTrace(trace))
  expect(Object.keys(device?.totals ?? {})).toEqual(['between-frames'])
})

describe('what sets the pace of a page without frames', () => {
  const verdictOf = (add: (scene: Scene, at: number, turn: number) => void) => {
    const placed = placeTrace(turns(100, 3, add).trace)
    const [diagnosis] = analyse(placed).diagnoses
    return diagnosis
  }

  it('is unknown where nothing is recorded of it, and no fault', () => {
    const unseen = verdictOf(() => undefined)
    expect([unseen?.verdict, unseen?.findings]).toEqual(['unexplained', []])
    expect(unseen?.sentence).toBe(
      'The GPU was idle for 98.8 % of the time, and nothing of the page is recorded meanwhile: it may be timers, the network or its script.',
    )
  })

  it('is not the GPU, where a burst of passes follows a pause', () => {
    const scene = new Scene()
    const submit = (id: number, at: number) =>
      scene.onHost('submit', 'submit', at, at + 0.1, { submission: id, role: 'submit' })
    // Its device was lost, and its time with it.
    submit(0, 1)
    scene.onHost('host-wait', 'await', 1.1, 2, { submission: 0, role: 'wait-done' })
    for (let id = 1; id < 6; id += 1) {
      submit(id, 300 + id / 5)
      scene.pass(id, 301 + id, 302 + id)
    }
    const placed = placeTrace(page(scene))
    expect(analyse(placed).diagnoses[0]?.sentence).toMatch(
      /^The GPU was at work for 5 ms of 305 ms, and no change to the page’s calls is predicted to gain 5 %/,
    )
  })

  it('are its timers, where these submit', () => {
    const timed = verdictOf((scene, at, turn) => {
      const lane = scene.host
      const counter = turn === 0 ? scene.builder.addCounter({ name: TIMER_SUBMITS, unit: 'ns', lane }) : 0
      scene.builder.addCounterSample(counter, (at + 0.9) * MS, 100 * MS)
    })
    expect([timed?.verdict, timed?.findings]).toEqual(['unexplained', []])
    expect(timed?.sentence).toMatch(/^The page’s timers set the pace: they made 6 of 6 submissions/)
  })

  it('is its script, where tasks show that at work', () => {
    const task = (scene: Scene, turn: number, startMs: number, endMs: number) => {
      const lane =
        turn === 0 ? scene.builder.addLane({ kind: 'host', name: 'tasks', clock: 0, group: 'host' }) : 3
      const [start, end] = [startMs * MS, endMs * MS]
      scene.builder.addSpan({ lane, kind: 'other', role: 'task', name: 'task', start, end })
    }
    const busy = verdictOf((scene, at, turn) => task(scene, turn, at + 10, at + 99))
    expect(busy?.findings.map(({ cause }) => cause)).toEqual(['host-code'])
    expect(busy?.sentence).toMatch(/^Without the script’s other work, the recorded work would take /)
    const idle = verdictOf((scene, at, turn) => task(scene, turn, at + 0.5, at + 2))
    expect(idle?.findings).toEqual([])
    expect(idle?.sentence).toMatch(/^The page sets its own pace: .* and so was the page’s thread/)
  })
})

it('a call that the next pass waits for is charged with that, and not the wait for the pass', () => {
  const scene = new Scene()
  for (let turn = 0; turn < 12; turn += 1) {
    const at = turn * 8
    scene.onHost('host-work', 'write', at, at + 1, { role: 'write', bytes: 2 ** 24 })
    scene.onHost('submit', 'submit', at + 1, at + 1.05, { submission: turn, role: 'submit' })
    // The GPU process is busy with the bytes for 5 ms more.
    scene.pass(turn, at + 6.2, at + 7.2)
    scene.onHost('host-wait', 'await', at + 1.1, at + 8, { submission: turn, role: 'wait-done' })
  }
  const trace = page(scene)
  const [diagnosis] = analyse(placeTrace(trace)).diagnoses
  const first = diagnosis?.findings[0]
  expect([first?.cause, first?.what]).toEqual(['host-code', 'writeBuffer()'])
  // The pass takes 1 ms, its way to the device 0.2 and back 0.8.
  expect(first?.without?.gain).toBeGreaterThan(3.5)
  expect(first?.without?.gain).toBeLessThan(4.5)
  expect(first?.evidence).toMatch(
    /^10 times, for 10 ms of 80 ms\. .* the replay charges 60 ms of that to these calls\.$/,
  )
})
