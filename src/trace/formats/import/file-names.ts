/** Names of processes and threads, from the file's metadata. */
import type { EventArguments } from './arguments'
import type { EventFile } from './event-reader'

const METADATA = 0x4d

interface ThreadName {
  readonly pid: number
  readonly tid: number
  readonly name: string
  /** '' but in the lab's own files. */
  readonly group: string
}

export interface FileNames {
  readonly processes: ReadonlyMap<number, string>
  /** By `threadKey`. */
  readonly threads: ReadonlyMap<number, ThreadName>
}

export const threadKey = (pid: number, tid: number): number => pid * 2 ** 26 + tid

export function namesOf({ events, texts }: EventFile, args: EventArguments): FileNames {
  const { columns, length } = events
  const processes = new Map<number, string>()
  const threads = new Map<number, ThreadName>()
  for (let row = 0; row < length; row += 1) {
    if (columns.phase[row] !== METADATA) continue
    const what = texts.text(columns.name[row] ?? 0)
    const [pid, tid] = [columns.pid[row] ?? 0, columns.tid[row] ?? 0]
    if (what === 'process_name') processes.set(pid, args.text(row, 'name'))
    else if (what === 'thread_name')
      threads.set(threadKey(pid, tid), {
        pid,
        tid,
        name: args.text(row, 'name'),
        group: args.text(row, 'group'),
      })
  }
  return { processes, threads }
}
