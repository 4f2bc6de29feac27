/**
 * A mark in storage while learners' code runs. Where that code takes the whole tab with it, the mark stays behind, and the next page
 * that opens the lesson can report why. A mark belongs to a page that is alive as long as the Web Lock of its run is held.
 */
import type { Tab } from './browser-tab'
import type { LocalStore } from './storage'

interface Mark {
  readonly tab: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
}

const VERSION = 1
/** No graded run lasts this long: without Web Locks an older mark belongs to no page that is alive. */
const LONGEST_RUN_MS = 120_000

const markKey = (lesson: string): string => `host-device-lab:mend-running:${lesson}`
const lockName = (lesson: string, tab: string): string => `host-device-lab:mend:${lesson}:${tab}`

const isMark = (raw: unknown): raw is Mark =>
  typeof raw === 'object' &&
  raw !== null &&
  'tab' in raw &&
  typeof raw.tab === 'string' &&
  'startedAt' in raw &&
  typeof raw.startedAt === 'number'

export interface RunMarks {
  running: (lesson: string) => void
  ended: (lesson: string) => void
  /** True where a run of this lesson ended with its page. Such a mark is reported once. */
  takeLeftBehind: (lesson: string) => Promise<boolean>
}

export function createRunMarks(localStore: LocalStore, tab: Tab, now: () => number): RunMarks {
  const held = new Map<string, () => void>()

  const readMarks = (lesson: string): readonly Mark[] => {
    const saved = localStore.read(markKey(lesson))
    return saved?.version === VERSION && Array.isArray(saved.data) ? saved.data.filter(isMark) : []
  }
  const writeMarks = (lesson: string, marks: readonly Mark[]): void => {
    localStore.write(markKey(lesson), { version: VERSION, data: marks })
  }
  const others = (lesson: string): readonly Mark[] => readMarks(lesson).filter((mark) => mark.tab !== tab.id)

  const ended = (lesson: string): void => {
    const release = held.get(lesson)
    if (!release) return
    held.delete(lesson)
    writeMarks(lesson, others(lesson))
    release()
  }
  tab.onLeave(() => {
    for (const lesson of held.keys()) ended(lesson)
  })

  return {
    running: (lesson) => {
      if (!held.has(lesson)) held.set(lesson, tab.hold(lockName(lesson, tab.id)))
      writeMarks(lesson, [...others(lesson), { tab: tab.id, startedAt: now() }])
    },
    ended,
    takeLeftBehind: async (lesson) => {
      if (others(lesson).length === 0) return false
      const alive = await tab.heldNames()
      const isLeftBehind = (mark: Mark): boolean =>
        mark.tab !== tab.id &&
        (alive ? !alive.has(lockName(lesson, mark.tab)) : now() - mark.startedAt > LONGEST_RUN_MS)
      const marks = readMarks(lesson) // anew: another page may have ended its run meanwhile
      const staying = marks.filter((mark) => !isLeftBehind(mark))
      if (staying.length === marks.length) return false
      writeMarks(lesson, staying)
      return true
    },
  }
}
