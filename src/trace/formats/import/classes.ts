/**
 * What each event is: by its category; where it has none, by the process and thread it stands in
 * and by its name (JAX, Ascend). It is the column `group` of the events.
 */
import { madeOnce } from '../../../base/lists'
import {
  CALL,
  classOfCategory,
  classOfWork,
  DEVICE_RANGE,
  isCall,
  isDeviceWork,
  isOnHost,
  KERNEL,
  NAMED_WORK,
  OPERATOR,
  OTHER,
  processOf,
  type EventClass,
  type Vendor,
  USER_RANGE,
} from '../../vendors'
import { jax } from '../../vendors/jax'
import type { EventFile } from './event-file'
import { namesOf, type FileNames } from './lanes'
import { COMPLETE, METADATA } from './phases'
import { KEY } from './kept-arguments'

export interface Classes {
  /** Pids with work of a device. */
  readonly devices: ReadonlySet<number>
  /** Calls, operators or ranges of a program. */
  readonly hasHost: boolean
  /** Whose files name the processes; null: categories say what events are. */
  readonly vendor: Vendor | null
  readonly names: FileNames
  /** By row, where a range's arguments say it. */
  readonly steps: ReadonlyMap<number, number>
}

/** A profile of Kineto begins at its base time, some ms to days before its first event. */
const LONG_BEFORE_US = 1e6

const NO_TIME = 'it is device work at time 0, long before everything else: the profiler had no time for it'

export function classify(file: EventFile): Classes {
  const { events, texts, threads } = file
  const { columns, length } = events
  const of = columns.group
  const names = namesOf(file)
  const named = new Map([...names.processes].map(([pid, name]) => [pid, processOf(name)]))
  const vendor = [...named.values()].find((each) => each !== null)?.vendor ?? null
  const ofProcess = vendor && processClasses(named, names, file)
  const devices = new Set<number>()
  const ofCategory = texts.asked(classOfCategory)
  const byName = texts.asked(classOfWork)
  columns.category.subarray(0, length).forEach((category, row) => {
    let group = ofCategory(category)
    if (group === NAMED_WORK) group = byName(columns.name[row] ?? 0)
    else if (group === OTHER && ofProcess !== null && columns.phase[row] === COMPLETE) {
      group = ofProcess(columns.thread[row] ?? 0, columns.name[row] ?? 0)
      if (group === KERNEL) group = byName(columns.name[row] ?? 0)
    }
    of[row] = group
    if (isDeviceWork(group)) devices.add(threads.pid[columns.thread[row] ?? 0] ?? 0)
  })
  const steps = vendor === jax ? readXla(file) : new Map<number, number>()
  dropWithoutTime(file)
  return { devices, hasHost: of.subarray(0, length).some(isOnHost), vendor, names, steps }
}

function processClasses(
  named: ReadonlyMap<number, ReturnType<typeof processOf>>,
  names: FileNames,
  { texts, threads }: EventFile,
): (thread: number, name: number) => EventClass {
  const ofThread = new Map<number, EventClass>()
  const isCallNamed = texts.asked(isCall)
  return (thread, name) => {
    const process = named.get(threads.pid[thread] ?? 0) ?? null
    if (!process?.work) {
      if (isCallNamed(name)) return CALL
      return process ? OPERATOR : OTHER
    }
    const { work } = process
    const isWork = () => work.test(names.threads.get(thread)?.name ?? '')
    return madeOnce(ofThread, thread, () => (isWork() ? KERNEL : DEVICE_RANGE))
  }
}

/** Kineto moves what is before its base time to 0: such records tell no time. */
function dropWithoutTime(file: EventFile): void {
  if (file.firstUs > 0) return
  const { events } = file
  const { columns, length } = events
  const of = columns.group
  const lost: number[] = []
  let firstUs = Infinity
  for (let row = 0; row < length; row += 1) {
    const us = columns.time[row] ?? Number.NaN
    if (us === 0 && isDeviceWork(of[row] ?? 0)) lost.push(row)
    else if (us < firstUs && (of[row] ?? 0) !== OTHER) firstUs = us
  }
  if (lost.length === 0 || firstUs < LONG_BEFORE_US || firstUs === Infinity) return
  for (const row of lost) {
    of[row] = LOST
    file.skip(NO_TIME, row)
  }
  file.firstUs = Infinity
  for (let row = 0; row < length; row += 1) {
    const us = columns.time[row] ?? Number.NaN
    if (us < file.firstUs && of[row] !== LOST && columns.phase[row] !== METADATA) file.firstUs = us
  }
}

/** Work of a device that has lost its time: no work, and nothing that its launch lacks. */
export const LOST = 10
export const CLASSES = LOST + 1

/** '$train.py:68 step', '$builtins len' */
const FUNCTION = /^\$([^\s:]+\.py):(\d+) (.+)$/
const BUILT_IN = /^\$builtins (.+)$/
const LARGEST_STEP = 2 ** 31 - 1

/**
 * Changes the classes and the names of events to what XLA's profiler says of the host in arguments
 * alone: which events are calls, whose names are those of the kernels they launch, and which are
 * steps. Python's functions get their usual names.
 *
 * @returns the step by row, where a range says it
 */
function readXla({ events, texts, args }: EventFile): ReadonlyMap<number, number> {
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
    columns.name[row] = madeOnce(launchNames, call, () => texts.add(call))
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
