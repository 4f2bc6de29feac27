/**
 * Made-up profiles as torch.profiler writes them, of any length and the same every time: operators,
 * launches, kernels with their arguments, arrows, steps, and a value read in each step. Never one
 * string: 10^6 events are 194 MB.
 */

/**
 * Events of one operator: its call, the launch, the kernel and the two ends of the arrow between
 * them.
 */
const EVENTS = 5
const OPERATORS_A_STEP = 200
/** A step has its own event and the three of a read besides. */
const EVENTS_A_STEP = OPERATORS_A_STEP * EVENTS + 4
const NAMES = 400
const HOST_US = 14
const BEGUN_US = 1.7e9

const HEAD =
  '{"schemaVersion":1,"deviceProperties":[{"id":0,"name":"NVIDIA H200","totalGlobalMem":150000000000,"computeMajor":9}],"displayTimeUnit":"ms","baseTimeNanoseconds":1759000000000000000,"traceEvents":[\n' +
  '{"ph":"M","name":"process_name","pid":11,"args":{"name":"python"}},\n' +
  '{"ph":"M","name":"process_name","pid":0,"args":{"name":"python"}}'

const us = (time: number): string => time.toFixed(3)

/** @yields about a step at a time; `events` of them, with the two of the head */
export function* profileParts(events: number): Generator<string> {
  yield HEAD
  let [left, correlation, hostUs, deviceUs] = [events - 2, 1, BEGUN_US, BEGUN_US]
  for (let step = 0; left > 0; step += 1) {
    const begunUs = hostUs
    const parts: string[] = []
    const operators = Math.min(OPERATORS_A_STEP, Math.max(0, Math.floor((left - 4) / EVENTS)))
    for (let at = 0; at < operators; at += 1) {
      const name = (correlation * 7919) % NAMES
      const launchUs = hostUs + 6
      const kernelUs = Math.max(deviceUs, launchUs + 5)
      const lastsUs = 3 + (name % 17)
      const id = String(correlation)
      parts.push(
        `,\n{"ph":"X","cat":"cpu_op","name":"aten::op_${String(name)}","pid":11,"tid":11,"ts":${us(hostUs)},"dur":12.125,"args":{"External id":${id},"Record function id":0,"Ev Idx":${id},"Input Dims":[[64,${String(name)}],[${String(name)},64]],"Input type":["float","float"]}}`,
        `,\n{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":11,"tid":11,"ts":${us(launchUs)},"dur":4.250,"args":{"External id":${id},"cbid":211,"correlation":${id}}}`,
        `,\n{"ph":"s","id":${id},"pid":11,"tid":11,"ts":${us(launchUs)},"cat":"ac2g","name":"ac2g"}`,
        `,\n{"ph":"X","cat":"kernel","name":"void at::native::vectorized_elementwise_kernel<4, op_${String(name)}>","pid":0,"tid":7,"ts":${us(kernelUs)},"dur":${us(lastsUs)},"args":{"External id":${id},"queued":0,"device":0,"context":1,"stream":7,"correlation":${id},"registers per thread":32,"shared memory":0,"blocks per SM":1.5,"warps per SM":6.0,"grid":[${String(name + 1)},1,1],"block":[128,1,1],"est. achieved occupancy %":9}}`,
        `,\n{"ph":"f","id":${id},"pid":0,"tid":7,"ts":${us(kernelUs)},"cat":"ac2g","name":"ac2g","bp":"e"}`,
      )
      correlation += 1
      hostUs += HOST_US
      deviceUs = kernelUs + lastsUs
    }
    if (left >= EVENTS_A_STEP) {
      const copyUs = Math.max(deviceUs, hostUs + 5)
      const id = String(correlation)
      correlation += 1
      parts.push(
        `,\n{"ph":"X","cat":"cuda_runtime","name":"cudaMemcpyAsync","pid":11,"tid":11,"ts":${us(hostUs)},"dur":4.250,"args":{"cbid":41,"correlation":${id}}}`,
        `,\n{"ph":"X","cat":"gpu_memcpy","name":"Memcpy DtoH (Device -> Pageable)","pid":0,"tid":7,"ts":${us(copyUs)},"dur":1.500,"args":{"device":0,"stream":7,"correlation":${id},"bytes":4}}`,
        `,\n{"ph":"X","cat":"cuda_runtime","name":"cudaStreamSynchronize","pid":11,"tid":11,"ts":${us(hostUs + 5)},"dur":${us(copyUs + 4 - hostUs)},"args":{"cbid":131,"correlation":${id}}}`,
      )
      hostUs = copyUs + 12
      deviceUs = copyUs + 1.5
    }
    const own = operators * EVENTS + (left >= EVENTS_A_STEP ? 3 : 0)
    left -= own
    // What is left over is bookkeeping, an event each.
    for (const last = left < EVENTS_A_STEP && operators < OPERATORS_A_STEP; last && left > 1; left -= 1) {
      parts.push(
        `,\n{"ph":"X","cat":"user_annotation","name":"rest","pid":11,"tid":11,"ts":${us(hostUs)},"dur":1.000,"args":{}}`,
      )
      hostUs += 2
    }
    parts.push(
      `,\n{"ph":"X","cat":"user_annotation","name":"ProfilerStep#${String(step)}","pid":11,"tid":11,"ts":${us(begunUs)},"dur":${us(hostUs - begunUs)},"args":{"External id":0}}`,
    )
    left -= 1
    yield parts.join('')
  }
  yield '\n]}\n'
}
