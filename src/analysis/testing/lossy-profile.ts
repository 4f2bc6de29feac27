/**
 * Profiles of made-up loops, whole and with records missing as a profiler loses them. Times in µs.
 * Test code only.
 */
import { KinetoFile, type Event } from '../../trace/formats/import/testing/kineto-file'

/**
 * The host launches a kernel every 40 µs, each runs for 50: the device always has the next one in
 * its queue.
 */
export function wellFed(kernels: number): KinetoFile {
  const file = new KinetoFile()
  for (let kernel = 0; kernel < kernels; kernel += 1)
    file
      .operator('aten::mm', [40 * kernel, 40 * kernel + 6])
      .call('cudaLaunchKernel', kernel + 1, [40 * kernel, 40 * kernel + 6])
      .kernel('gemm', kernel + 1, [20 + 51 * kernel, 70 + 51 * kernel])
  return file
}

/** The same work as graphs of `size` kernels, each launched by one call. */
export function inGraphs(graphs: number, size: number): KinetoFile {
  const file = new KinetoFile()
  for (let graph = 0; graph < graphs; graph += 1) {
    file.call('cudaGraphLaunch', graph + 1, [40 * size * graph, 40 * size * graph + 30])
    for (let node = 0; node < size; node += 1) {
      const at = 50 + 51 * (graph * size + node)
      file.kernel('gemm', graph + 1, [at, at + 50])
    }
  }
  return file
}

/** The number that ties an event of a device or of the runtime to the others. */
export const correlationOf = ({ args }: Event): number =>
  Number((args as Readonly<Record<string, unknown>> | undefined)?.['correlation'] ?? Number.NaN)

export const isRecord = ({ cat }: Event): boolean =>
  cat === 'kernel' || cat === 'gpu_memcpy' || cat === 'gpu_memset'

/** Without the records on the device that these correlations have. */
export function losing(file: KinetoFile, isLost: (correlation: number) => boolean): KinetoFile {
  const kept = new KinetoFile()
  for (const event of file.events) if (!isRecord(event) || !isLost(correlationOf(event))) kept.add(event)
  return kept
}
