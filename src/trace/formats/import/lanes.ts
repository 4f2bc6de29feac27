/**
 * Which lane an event belongs to: one for each thread, and of a device's stream the waits and the
 * ranges apart from the work, so that no analysis takes them for work. Names come from the file's
 * metadata.
 */
import { LIMITS } from '../../budget'
import type { LaneKind, Lane } from '../../schema'
import { DEVICE_RANGE, DEVICE_SYNC, isDeviceWork, isOnHost, type EventClass } from '../../vendors'
import type { Threads, EventFile } from './event-file'
import { KEY } from './kept-arguments'
import { METADATA } from './phases'
import { labLaneKind, type LabFile } from './lab-file'

export interface LaneDraft {
  readonly thread: number
  /** Text numbers. */
  readonly pid: number
  readonly tid: number
  readonly part: 'whole' | 'waits' | 'ranges'
  readonly order: number
  kind: LaneKind
  /** Index in the trace; −1 until it is known which lanes there are. */
  id: number
}

export class LaneDrafts {
  readonly #byThread: (LaneDraft | undefined)[][] = []
  readonly #threads: Threads
  readonly all: LaneDraft[] = []
  /** Pids with work of a device. */
  readonly devices: ReadonlySet<number>

  constructor(devices: ReadonlySet<number>, threads: Threads) {
    this.devices = devices
    this.#threads = threads
  }

  /** The lane that `of` has made; null: there were too many. */
  find(thread: number, group: EventClass): LaneDraft | null {
    return this.#byThread[thread]?.[this.#partOf(thread, group)] ?? null
  }

  #partOf(thread: number, group: EventClass): number {
    if (group !== DEVICE_SYNC && group !== DEVICE_RANGE) return 0
    return this.devices.has(this.#threads.pid[thread] ?? 0) ? (group === DEVICE_SYNC ? 1 : 2) : 0
  }

  /** Makes it where there is none yet; there may be too many. */
  of(thread: number, group: EventClass): void {
    const pid = this.#threads.pid[thread]
    const tid = this.#threads.tid[thread]
    if (pid === undefined || tid === undefined) return
    const isDevice = this.devices.has(pid)
    const part = this.#partOf(thread, group)
    const parts = (this.#byThread[thread] ??= [])
    const known = parts[part]
    if (known) {
      if (!isDevice && isOnHost(group)) known.kind = 'host'
      if (isDevice && isDeviceWork(group)) known.kind = 'device'
      return
    }
    if (this.all.length >= LIMITS.lanes.most) return
    const lane: LaneDraft = {
      thread,
      pid,
      tid,
      part: part === 1 ? 'waits' : part === 2 ? 'ranges' : 'whole',
      order: this.all.length,
      kind: isOnHost(group) ? 'host' : isDevice && part === 0 ? 'device' : 'other',
      id: -1,
    }
    parts[part] = lane
    this.all.push(lane)
  }
}

interface ThreadName {
  readonly name: string
  /** '' but in the lab's own files. */
  readonly group: string
}

export interface FileNames {
  readonly processes: ReadonlyMap<number, string>
  /** By thread, as numbered in event-file.ts. */
  readonly threads: ReadonlyMap<number, ThreadName>
}

export function namesOf({ events, texts, pidOf, text }: EventFile): FileNames {
  const { columns } = events
  const processes = new Map<number, string>()
  const threads = new Map<number, ThreadName>()
  for (const row of events.rowsWith('phase', METADATA)) {
    const what = texts.text(columns.name[row] ?? 0)
    if (what === 'process_name') processes.set(pidOf(row), text(row, KEY.name))
    else if (what === 'thread_name')
      threads.set(columns.thread[row] ?? 0, {
        name: text(row, KEY.name),
        group: text(row, KEY.group),
      })
  }
  return { processes, threads }
}

const XLA_DEVICE = /^\/device:\w+:(\d+)/
const ORDER: readonly LaneKind[] = ['host', 'queue', 'staging', 'device', 'other']
const COPIES = ': copies, bracketed by passes'
const STREAM = /^stream /
const PART = { whole: '', waits: ' (waits)', ranges: ' (ranges)' } as const

export type NewLane = Omit<Lane, 'id' | 'clock'>

/**
 * Gives each draft the id of its lane: host threads first, then each device's streams, then the
 * rest.
 */
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
