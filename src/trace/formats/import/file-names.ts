/** Names of processes and threads, from the file's metadata. */
import type { EventFile } from './event-file'
import { KEY } from './kept-arguments'
import { METADATA } from './phases'

interface ThreadName {
  readonly name: string
  /** '' but in the lab's own files. */
  readonly group: string
}

export interface FileNames {
  readonly processes: ReadonlyMap<number, string>
  /** By thread (threads.ts). */
  readonly threads: ReadonlyMap<number, ThreadName>
}

export function namesOf({ events, texts, pidOf, text }: EventFile): FileNames {
  const { columns, length } = events
  const processes = new Map<number, string>()
  const threads = new Map<number, ThreadName>()
  columns.phase.subarray(0, length).forEach((phase, row) => {
    if (phase !== METADATA) return
    const what = texts.text(columns.name[row] ?? 0)
    if (what === 'process_name') processes.set(pidOf(row), text(row, KEY.name))
    else if (what === 'thread_name')
      threads.set(columns.thread[row] ?? 0, {
        name: text(row, KEY.name),
        group: text(row, KEY.group),
      })
  })
  return { processes, threads }
}
