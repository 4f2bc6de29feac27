/** Intel XPU, by PTI: Unified Runtime above Level Zero, whose calls repeat those of the former. */
import { CALL, copyAs, type Vendor } from './vendor'

/** Letters and words of PTI for memory: M is the program's own, H is USM of the host. */
const SIDE: Readonly<Record<string, string>> = { M: 'H', H: 'H', D: 'D', S: 'D' }
const MEMORY: Readonly<Record<string, string>> = {
  M: 'pageable',
  H: 'pinned',
  D: 'device',
  S: 'managed',
}

export const xpu: Vendor = {
  name: 'XPU',
  categories: { xpu_runtime: CALL, xpu_driver: CALL },
  call: /^(?:ur|ze|piext|pi)[A-Z]/,
  calls: [
    { name: /^(?:ur|pi)EventWait$|^(?:ur|pi)EventsWait$|^zeEventHostSynchronize/, use: 'wait-event' },
    {
      name: /^(?:ur|pi)QueueFinish|^ze(?:CommandQueueSynchronize|CommandListHostSynchronize|FenceHostSynchronize)/,
      use: 'wait-stream',
    },
    { name: /^(?:ur|pi)EnqueueKernelLaunch/, use: 'launch', brings: 'one' },
    {
      name: /^(?:ur|piext|pi)Enqueue(?:USM|Usm|Mem)\w*(?:Memcpy|Copy|Read|Write|Fill|Memset)/,
      use: 'other',
      brings: 'one',
    },
    { name: /^zeCommandListAppendLaunch/, use: 'launch' },
    { name: /^(?:ur|piext)(?:USM|Usm)(?:Free|PoolDestroy)|^zeMemFree/, use: 'free' },
    { name: /^(?:ur|piext)(?:USM|Usm)(?:Device|Host|Shared|Pool)|^zeMemAlloc/, use: 'allocation' },
  ],
  copyName(name) {
    const [, from = '', to = ''] = /^Memcpy ([MHDS])2([MHDS])/.exec(name) ?? []
    const kind = `${SIDE[from] ?? ''}to${SIDE[to] ?? ''}`
    return from === '' ? null : copyAs(kind, MEMORY[from] ?? '', MEMORY[to] ?? '')
  },
}
