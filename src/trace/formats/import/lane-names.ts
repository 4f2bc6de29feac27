/**
 * Names and order of lanes, from the file's metadata: host threads, then each device's streams,
 * then the rest.
 */
import type { Lane, LaneKind } from '../../schema'
import type { EventFile } from './event-file'
import type { FileNames } from './file-names'
import type { LaneDraft, LaneDrafts } from './lanes'
import { labLaneKind, type LabFile } from './lab-file'

const XLA_DEVICE = /^\/device:\w+:(\d+)/
const ORDER: readonly LaneKind[] = ['host', 'queue', 'staging', 'device', 'other']
const COPIES = ': copies, bracketed by passes'
const STREAM = /^stream /
const PART = { whole: '', waits: ' (waits)', ranges: ' (ranges)' } as const

export type NewLane = Omit<Lane, 'id' | 'clock'>

/** Gives each draft the id of its lane. */
export function nameLanes(
  file: EventFile,
  { processes, threads }: FileNames,
  drafts: LaneDrafts,
  own: LabFile | null,
  addLane: (lane: NewLane, draft: LaneDraft) => number,
): void {
  if (own) {
    // Also lanes without a span; a lane's copies were written as a thread of their own.
    for (const thread of threads.keys()) drafts.of(thread, 0)
    const ids = new Map<string, number>()
    const declared = new Map([...threads.keys()].map((key, index) => [key, index]))
    const place = ({ thread }: LaneDraft) => declared.get(thread) ?? Infinity
    const sorted = [...drafts.all].sort(
      (a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0) || a.order - b.order,
    )
    for (const draft of sorted) {
      draft.kind = labLaneKind(processes.get(draft.pid) ?? '')
      const name = (threads.get(draft.thread)?.name ?? '').replace(COPIES, '')
      const key = `${String(draft.pid)} ${name}`
      const isCopies = threads.get(draft.thread)?.name.endsWith(COPIES) === true
      const known = isCopies ? ids.get(key) : undefined
      const group = threads.get(draft.thread)?.group
      draft.id = known ?? addLane({ kind: draft.kind, name, group: group || draft.kind }, draft)
      if (known === undefined && !ids.has(key)) ids.set(key, draft.id)
    }
    return
  }
  const text = (index: number) => file.texts.text(index)
  const byPlace = (a: LaneDraft, b: LaneDraft) =>
    ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) ||
    (drafts.devices.has(a.pid)
      ? text(a.pid).localeCompare(text(b.pid), 'en', { numeric: true }) ||
        text(a.tid).localeCompare(text(b.tid), 'en', { numeric: true })
      : 0) ||
    a.order - b.order
  for (const draft of [...drafts.all].sort(byPlace)) {
    // Kineto writes some threads of Python with the number of a device.
    const isDevice = drafts.devices.has(draft.pid) && draft.kind !== 'host'
    const process = (processes.get(draft.pid) ?? '').trim() || 'process'
    const known = (threads.get(draft.thread)?.name ?? '').trim()
    const tid = text(draft.tid) || '(none)'
    const thread = known || (!isDevice ? `thread ${tid}` : STREAM.test(tid) ? tid : `stream ${tid}`)
    const device = XLA_DEVICE.exec(process)?.[1] ?? text(draft.pid)
    const group = isDevice ? `device ${device}` : `${process} (${text(draft.pid) || 'none'})`
    const name = isDevice ? `${thread}${PART[draft.part]}` : thread
    draft.id = addLane({ kind: draft.kind, name, group }, draft)
  }
}
