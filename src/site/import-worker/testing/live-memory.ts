/**
 * What is reachable, in bytes, after a full collection: never what happens not to be collected yet.
 * Node only. Test code only.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

export function liveBytes(): number {
  // Twice: the first leaves the sweeping of array buffers to a thread, and the second waits for
  // that.
  collect()
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
