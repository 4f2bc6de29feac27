/** JAX: Chrome traces of `jax.profiler`, without categories. Other calls are CUDA's. */
import { copyAs, COPY, MEMSET, type Vendor } from './vendor'

/**
 * Where an array's value, or its end, is awaited: a frame of jax._src.array, as it stands or as
 * Python names it.
 */
const WAIT = /^\$?array\.py[:(]\d+\)?:? (?:_value|block_until_ready)$/

export const jax: Vendor = {
  name: 'JAX',
  categories: {},
  call: WAIT,
  calls: [{ name: WAIT, use: 'wait-stream' }],
  // Beside its streams a device has threads that tell the same time by module, by operation and by
  // scope.
  devices: [
    { process: /^\/device:GPU:\d+/, work: /^Stream #/ },
    { process: /^\/device:TPU:\d+/, work: /^XLA Ops$/ },
  ],
  host: /^\/host:CPU/,
  work: [
    [/^Memcpy/, COPY],
    [/^Memset/, MEMSET],
  ],
  copyName(name, { details }) {
    const [, from = '', to = ''] = /^Memcpy([HDP])2([HDP])$/.exec(name) ?? []
    if (from === '') return null
    const memory = (key: string) => new RegExp(`${key}:(\\w+)`).exec(details)?.[1] ?? ''
    return copyAs(`${from}to${to}`, memory('kind_src'), memory('kind_dst'))
  },
}
