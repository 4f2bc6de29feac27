/** Big traces with a device that is idle between all its passes. Test code only. */
import { TraceBuilder } from '../../../trace/builder'
import type { Trace } from '../../../trace/schema'
import { testInfo } from '../../../trace/testing/arbitrary-trace'

/**
 * `steps` submissions of a call, a pass and a wait each: 3 spans and, but for the first, a gap.
 *
 * @param repeats of a variant, one after the other; 0: the passes are of none
 */
export function stalledTrace(steps: number, { repeats = 0 } = {}): Trace {
  const builder = new TraceBuilder({ ...testInfo, origin: 'imported' }, { originMs: 0, stepNs: 1000 })
  const host = builder.addLane({ kind: 'host', name: 'host', clock: 0, group: 'host' })
  const clock = builder.addClock({
    kind: 'device',
    name: 'device',
    originMs: 0,
    originTick: '0',
    stepNs: 32,
  })
  const device = builder.addLane({ kind: 'device', name: 'device', clock, group: 'device' })
  for (let step = 0; step < steps; step += 1) {
    const at = step * 100_000
    const of = repeats > 0 ? { variant: 'v', repeat: Math.floor((step * repeats) / steps) } : {}
    const call = builder.addSpan({
      lane: host,
      kind: 'submit',
      start: at,
      end: at + 5000,
      name: 'submit',
      submission: step,
    })
    const pass = builder.addSpan({
      lane: device,
      kind: 'compute',
      start: at + 10_000,
      end: at + 60_000 + (step % 7) * 100,
      name: `matmul ${String(step % 97)}`,
      submission: step,
      ...of,
    })
    const wait = builder.addSpan({
      lane: host,
      kind: 'host-wait',
      start: at + 6000,
      end: at + 70_000,
      name: 'await',
      submission: step,
    })
    builder.addFlow(call, pass, 'submit')
    builder.addFlow(pass, wait, 'sync')
    if (step % 100 === 0)
      builder.addSnapshot({
        clock,
        hostBeforeNs: at,
        beginTick: at + 10_000,
        endTick: at + 60_000,
        hostAfterNs: at + 70_000,
      })
  }
  return builder.freeze()
}
