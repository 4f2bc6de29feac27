/**
 * When a page's thread was at work, as the browser reports it: long tasks and the scripts of long
 * frames where there is a window, and the tasks that `lab record` traced.
 */
import { madeOnce } from '../base/lists'
import { SCRIPTS_LANE } from '../trace/schema'
import type { PagePart } from './patches'
import type { SpanWriter } from './span-writer'

const { PerformanceObserver: Observer } = globalThis

/** Chromium's entry of a frame that took 50 ms and more, with its scripts of 5 ms and more. */
interface LongFrame extends PerformanceEntry {
  readonly scripts: readonly (PerformanceEntry & { readonly sourceFunctionName: string })[]
}
const LONG_FRAME = 'long-animation-frame'

interface Task {
  readonly startMs: number
  readonly endMs: number
  /** Default: 'task'. */
  readonly name?: string
}
/**
 * A function, 'draw (https://a.test/app.js:12)', and its beginnings and ends in turn, in ms of
 * performance.now().
 */
export type Ran = readonly [name: string, times: readonly number[]]

const taskOf = ({ startTime, duration }: PerformanceEntry, name?: string): Task => ({
  startMs: startTime,
  endMs: startTime + duration,
  ...(name && { name }),
})

export interface Tasks extends PagePart {
  /** All of at least a ms, in this thread's time. */
  readonly add: (tasks: readonly Task[]) => void
  /** What ran in tasks, by samples: for the reader, and to name code by. */
  readonly addScripts: (ran: readonly Ran[]) => void
}

/** A worker has no entries of tasks: what it does beside WebGPU is unknown. */
export function tasksOf(writer: SpanWriter): Tasks {
  const lanes = new Map<string, number>()
  const addTo = (name: string, role: 'task' | 'none', tasks: readonly Task[]): void => {
    const { builder, on } = writer
    if (!on || tasks.length === 0) return
    const lane = madeOnce(lanes, name, () => builder.addLane({ kind: 'host', name, clock: 0, group: 'host' }))
    for (const { startMs, endMs, name: task = 'task' } of tasks) {
      const [start, end] = [Math.max(0, writer.atOwn(startMs)), writer.atOwn(endMs)]
      if (end > 0) builder.addSpan({ lane, kind: 'other', role, name: task, start, end })
    }
  }
  const addEntries = (entries: readonly PerformanceEntry[]): void => {
    const tasks = entries.flatMap((entry) =>
      entry.entryType === LONG_FRAME
        ? (entry as LongFrame).scripts.map((script) => taskOf(script, script.sourceFunctionName))
        : [taskOf(entry)],
    )
    addTo('long tasks', 'task', tasks)
  }
  let observer: PerformanceObserver | null = null
  if ('document' in globalThis) {
    observer = new Observer((list) => {
      addEntries(list.getEntries())
    })
    for (const type of ['longtask', LONG_FRAME])
      if (Observer.supportedEntryTypes.includes(type)) observer.observe({ type })
  }
  return {
    patches: [],
    add: (tasks) => {
      addTo('tasks', 'task', tasks)
    },
    addScripts: (ran) => {
      const scripts = ran.flatMap(([name, times]) =>
        times.flatMap((endMs, at) =>
          at % 2 === 0 ? [] : [{ name, startMs: times[at - 1] ?? endMs, endMs }],
        ),
      )
      addTo(
        SCRIPTS_LANE,
        'none',
        scripts.sort((a, b) => a.startMs - b.startMs),
      )
    },
    end: () => {
      addEntries(observer?.takeRecords() ?? [])
      observer?.disconnect()
    },
  }
}
