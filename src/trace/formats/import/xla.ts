/**
 * What XLA's profiler says of the host in arguments alone: which events are calls, whose names are
 * those of the kernels they launch, and which are steps. Python's functions get their usual names.
 */
import { CALL, isCall, isDeviceWork, OPERATOR, USER_RANGE } from '../../vendors'
import type { EventFile } from './event-file'
import { KEY } from './kept-arguments'

/** '$train.py:68 step', '$builtins len' */
const FUNCTION = /^\$([^\s:]+\.py):(\d+) (.+)$/
const BUILT_IN = /^\$builtins (.+)$/
const LARGEST_STEP = 2 ** 31 - 1

/** Changes the classes and the names of events. @returns the step by row, where a range says it */
export function readXla({ events, texts, args }: EventFile): ReadonlyMap<number, number> {
  const { columns, length } = events
  const of = columns.group
  const steps = new Map<number, number>()
  const launchNames = new Map<string, number>()
  const nameOf = texts.asked((name) => functionName(texts, name))
  const recorded = new Set<number>()
  const launches: { readonly row: number; readonly id: number }[] = []
  for (let row = 0; row < length; row += 1) {
    const group = of[row] ?? 0
    const isWork = isDeviceWork(group)
    if (!isWork && group !== OPERATOR && group !== CALL) continue
    const name = columns.name[row] ?? 0
    const id = columns.key[row] ?? 0
    const step = texts.number(args.find(columns.args[row] ?? 0, KEY.step_num))
    if (isWork) recorded.add(id)
    else if (Number.isInteger(step) && step >= 0 && step <= LARGEST_STEP) {
      of[row] = USER_RANGE
      steps.set(row, step)
    } else if (id !== 0) launches.push({ row, id })
    else columns.name[row] = nameOf(name) ?? name
  }
  for (const { row, id: correlation } of launches) {
    const work = texts.text(columns.name[row] ?? 0)
    // A kernel that is put into a graph has no record of its own, and nothing says that a capture
    // goes on.
    if (!isCall(work) && !recorded.has(correlation)) continue
    const call = callBehind(work)
    let known = launchNames.get(call)
    if (known === undefined) launchNames.set(call, (known = texts.add(call)))
    columns.name[row] = known
    of[row] = CALL
  }
  return steps
}

/** Of a call whose event is named as what it brings. */
function callBehind(work: string): string {
  // 'cuGraphLaunch (CudaGraph:12)'
  if (isCall(work)) return work.replace(/ \(.*$/, '')
  if (work.startsWith('Memcpy')) return 'cuMemcpyAsync'
  return work.startsWith('Memset') ? 'cuMemsetAsync' : 'cuLaunchKernel'
}

/** Null: it stays as it is. */
function functionName(texts: EventFile['texts'], text: string): number | null {
  const [, file, line, called = ''] = FUNCTION.exec(text) ?? []
  if (file !== undefined && line !== undefined) return texts.add(`${file}(${line}): ${called}`)
  const builtIn = BUILT_IN.exec(text)?.[1]
  return builtIn === undefined ? null : texts.add(`<built-in function ${builtIn}>`)
}
