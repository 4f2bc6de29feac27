/** Before its spans a trace has a description of its run, its clocks, and its lanes in order. */
import { TraceBuilder } from '../../builder'
import type { RunInfo } from '../../schema'
import type { Classes } from './classes'
import type { EventFile } from './event-file'
import { nameLanes, type LaneDrafts, type NewLane } from './lanes'
import { threadName, type LabClock, type LabFile } from './lab-file'
import { describeRun } from './run-info'

interface Begun {
  readonly builder: TraceBuilder
  /** By lane: the device's clock, of the lab's own files. */
  readonly clockOfLane: readonly (LabClock | undefined)[]
}

/** @param own null: the file is not the lab's own */
export function beginTrace(
  file: EventFile,
  own: LabFile | null,
  names: Classes['names'],
  drafts: LaneDrafts,
  {
    baseUs,
    isKineto,
    leadNs,
  }: { readonly baseUs: number; readonly isKineto: boolean; readonly leadNs: number },
): Begun {
  const lanes: NewLane[] = []
  const clockOfLane: (LabClock | undefined)[] = []
  nameLanes(file, names, drafts, own, (lane, { pid, tid }) => {
    const thread = threadName(file.texts.text(pid), file.texts.text(tid))
    if (lane.kind === 'device')
      clockOfLane[lanes.length] = own?.clocks.find(({ threads }) => threads.has(thread))
    return lanes.push(lane) - 1
  })
  const { info, originMs, stepNs, deviceStepNs } = describeRun(
    file,
    own,
    baseUs,
    isKineto,
    drafts.devices,
    leadNs,
    lanes.some(({ kind }, id) => kind === 'device' && !clockOfLane[id]),
  )
  const { events, details } = file
  const tables = { spans: events.spans, details }
  const builder = new TraceBuilder(info satisfies RunInfo, { originMs, stepNs }, tables)
  const needsDeviceClock = deviceStepNs !== stepNs
  const drawnClock = needsDeviceClock
    ? builder.addClock({
        kind: 'host', // one clock: the file's writer has put the device on it
        name: 'device, as the file places it',
        originMs,
        originTick: '0',
        stepNs: deviceStepNs,
      })
    : 0
  const restored = new Map<LabClock, number>()
  for (const clock of own?.clocks ?? []) {
    const { name, stepNs: tickNs, originTick, brackets } = clock
    const id = builder.addClock({ kind: 'device', name, originMs: 0, originTick, stepNs: tickNs })
    for (const bracket of brackets) builder.addSnapshot({ clock: id, ...bracket })
    restored.set(clock, id)
  }
  for (const [id, lane] of lanes.entries()) {
    const ofLab = clockOfLane[id]
    const clock = ofLab ? restored.get(ofLab) : undefined
    builder.addLane({ ...lane, clock: clock ?? (lane.kind === 'device' ? drawnClock : 0) })
  }
  return { builder, clockOfLane }
}
