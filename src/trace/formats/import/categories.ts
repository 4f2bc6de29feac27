/** What an event's category says of it, for torch.profiler (Kineto) files; older releases wrote other words for the same. */
const OTHER = 0
/** Work on a device: a kernel, a copy, a memset. */
export const KERNEL = 1
export const COPY = 2
export const MEMSET = 3
/** Also on a device's threads, but no work: what a stream waits for, ranges of the host drawn again there. */
export const DEVICE_SYNC = 4
export const DEVICE_RANGE = 5
/** Calls of the runtime and the driver. */
export const CALL = 6
/** Operators, Python functions. */
export const OPERATOR = 7
export const USER_RANGE = 8
export type CategoryClass = number

const CLASSES: Readonly<Record<string, CategoryClass>> = {
  kernel: KERNEL,
  gpu_memcpy: COPY,
  memcpy: COPY,
  gpu_memset: MEMSET,
  memset: MEMSET,
  cuda_sync: DEVICE_SYNC,
  cuda_event: DEVICE_SYNC,
  gpu_user_annotation: DEVICE_RANGE,
  cuda_runtime: CALL,
  cuda_driver: CALL,
  runtime: CALL,
  cpu_op: OPERATOR,
  operator: OPERATOR,
  python_function: OPERATOR,
  user_annotation: USER_RANGE,
}

export const classOf = (category: string): CategoryClass => {
  const key = category.toLowerCase()
  return Object.hasOwn(CLASSES, key) ? (CLASSES[key] ?? OTHER) : OTHER
}
export const isDeviceWork = (group: CategoryClass): boolean => group >= KERNEL && group <= MEMSET
export const isOnHost = (group: CategoryClass): boolean => group >= CALL

/** Calls that return when the device has done something. */
const WAITS = /^(?:cuda|cu|hip)(?:Device|Ctx|Stream|Event|Thread)Synchronize/
/** Copies that return when the bytes are there (those without Async). */
const BLOCKING_COPY =
  /^(?:(?:cuda|hip)Memcpy(?:2D|3D)?(?:To|From)?(?:Array|Symbol)?|cuMemcpy(?:HtoD|DtoH|DtoD|2D|3D)?)(?:_v\d+)?(?:_ptds)?$/
const LAUNCH = /launch/i
/** Calls after which a device has work of its own to show: not those that launch a function of the host. */
const BRINGS_WORK = /^(?:cuda|cu|hip)(?:(?:Ext|Hcc)?(?:Module)?Launch(?!HostFunc)|GraphLaunch|Mem(?:cpy|set))/
const CAPTURE = /^(?:cuda|cu|hip)Stream(Begin|End)Capture/

export const launchesWork = (call: string): boolean => BRINGS_WORK.test(call)
/** 1 where it begins the capture of a stream, −1 where it ends one, else 0. */
export function captureEdgeOf(call: string): 0 | 1 | -1 {
  const edge = CAPTURE.exec(call)?.[1]
  return edge === undefined ? 0 : edge === 'Begin' ? 1 : -1
}

export type CallUse = 'wait-device' | 'wait-stream' | 'wait-event' | 'blocking-copy' | 'launch' | 'other'
export function callUseOf(call: string): CallUse {
  if (WAITS.test(call))
    return call.includes('Stream') ? 'wait-stream' : call.includes('Event') ? 'wait-event' : 'wait-device'
  if (BLOCKING_COPY.test(call)) return 'blocking-copy'
  return LAUNCH.test(call) ? 'launch' : 'other'
}
