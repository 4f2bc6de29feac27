import { describe, expect, it } from 'vitest'
import { KinetoFile } from '../trace/formats/import/testing/kineto-file'
import { opened } from '../trace/formats/import/testing/read-back'
import { placeTrace } from '../trace/place'
import { LaunchRecords } from './coverage'
import { diagnosed } from './testing/training-loop'
import { analyse } from './diagnosis'
import { idleTimes } from './set-up'

const placedOf = async (file: KinetoFile) => placeTrace((await opened(file.bytes())).trace)
/** Times in µs from the file's begin. */
async function timesOf(file: KinetoFile) {
  const placed = await placedOf(file)
  const { firstUse, unrecordedWork } = idleTimes(placed, new LaunchRecords(placed).calls)
  const inUs = (times: typeof firstUse) => times.map(({ start, end }) => [start / 1e3, end / 1e3])
  return { firstUse: inUs(firstUse), unrecordedWork: inUs(unrecordedWork) }
}
async function diagnosisOf(file: KinetoFile) {
  const [diagnosis] = analyse(await placedOf(file)).diagnoses
  if (!diagnosis) throw new Error('no device')
  return diagnosis
}

/** A launch of `name` that takes this long, in an operator that begins 100 µs before. */
function launched(file: KinetoFile, name: string, id: number, at: number, us: number): KinetoFile {
  return file
    .operator('aten::mm', [at, at + 100 + us + 5])
    .call('cudaLaunchKernel', id, [at + 100, at + 100 + us])
    .kernel(name, id, [at + 100 + us + 5, at + 100 + us + 50])
}
const start = () => new KinetoFile({ originUs: 5e9 })

describe('first use of the GPU and its libraries', () => {
  it('is a long launch of a kernel that none launched before, with its operator', async () => {
    const file = launched(start(), 'gemm', 1, 0, 6000)
    for (let id = 2; id < 6; id += 1) launched(file, 'gemm', id, 10_000 * id, id === 4 ? 6000 : 5)
    expect((await timesOf(file)).firstUse).toEqual([[0, 6105]])
  })

  it('is a long call that launches nothing and waits for nothing', async () => {
    const file = launched(start(), 'gemm', 1, 0, 5)
      .call('cudaStreamCreateWithFlags', 2, [1000, 9000])
      .call('cudaMalloc', 3, [9000, 12_000])
    expect((await timesOf(file)).firstUse).toEqual([[1000, 9000]])
  })

  it('is the memory that a library asks for before anything is launched', async () => {
    const file = launched(start().call('cudaFree', 2, [0, 9000]), 'gemm', 1, 10_000, 5)
    file.call('cudaFree', 3, [20_000, 29_000])
    expect((await timesOf(file)).firstUse).toEqual([[0, 9000]])
  })

  it('is none while the GPU is at work: its launch queue may be full', async () => {
    const file = launched(start(), 'gemm', 1, 0, 5).kernel('long', 1, [200, 9000])
    launched(file, 'add', 2, 1000, 6000)
    expect((await timesOf(file)).firstUse).toEqual([])
  })

  it('is none where the file does not say what was launched, so no call is known to be the first', async () => {
    const file = start()
    for (let at = 0; at < 50_000; at += 10_000)
      file.call('cudaFree', 1 + at, [at, at + 9000]).kernel('gemm', 2 + at, [at + 9500, at + 9900])
    expect((await timesOf(file)).firstUse).toEqual([])
  })

  it('is said first where it is most of a file, and no change is said to gain it', async () => {
    const file = launched(start(), 'gemm', 1, 0, 10)
    launched(file, 'add', 2, 1000, 900_000)
    for (let id = 3; id < 9; id += 1) launched(file, `k${String(id)}`, id, 920_000 + 20_000 * (id - 3), 10)
    const { sentence, note, findings } = await diagnosisOf(file)
    expect(sentence).toMatch(/^The GPU was idle for .*, most of it in the first step or at a first use/)
    expect(note).toContain('Record after a few warm-up steps')
    expect(findings.every(({ without }) => without === null)).toBe(true)
  })

  it('of a part of a step is in no gain', async () => {
    const file = launched(start(), 'gemm', 1, 0, 10)
    file.operator('ProfilerStep#3', [0, 17_000], 'user_annotation')
    launched(file, 'add', 2, 1000, 4000)
    for (let id = 3; id < 60; id += 1) launched(file, 'add', id, 5500 + 200 * (id - 3), 10)
    const { without } = diagnosed((await opened(file.bytes())).trace)
    expect(without('dispatch')).toBeGreaterThan(4000)
  })
})

describe('waits for work that the file does not hold', () => {
  it('are those in which the GPU has no work by its records', async () => {
    const file = launched(start(), 'gemm', 1, 0, 5)
      .call('cudaStreamSynchronize', 2, [200, 90_000])
      .call('cudaMemcpyAsync', 3, [100_000, 190_000])
      .copy('DtoH (Device -> Pageable)', 3, [189_000, 189_990], 4)
    expect((await timesOf(file)).unrecordedWork).toEqual([
      [200, 90_000],
      [100_000, 190_000],
    ])
  })

  it('are no read that could be removed', async () => {
    const file = start()
    for (let step = 0; step < 4; step += 1) {
      const at = 100_000 * step
      launched(file, 'gemm', 10 * step + 1, at, 5)
        .operator('aten::copy_', [at + 300, at + 98_000])
        .call('cudaMemcpyAsync', 10 * step + 2, [at + 310, at + 97_990])
        .copy('DtoH (Device -> Pageable)', 10 * step + 2, [at + 97_900, at + 97_980], 4)
    }
    const { sentence, note, findings } = await diagnosisOf(file)
    expect(findings).toEqual([])
    expect(sentence).toMatch(/the file does not show why/)
    expect(note).toContain('belongs to another process, or was launched before the file begins')
  })
})

it('a device that works for a small part of what its host does is not called well fed', async () => {
  const file = start().operator('aten::mm', [0, 9000])
  for (const at of [0, 50, 100]) file.kernel('gemm', at + 1, [at, at + 50])
  expect((await diagnosisOf(file)).sentence).toBe(
    'In what is recorded, the GPU had work for 100 % of the time.',
  )
})

it('a pause that no removal closes is the GPU’s own only where it is short', async () => {
  const file = launched(start(), 'gemm', 1, 0, 5)
  // Work that no call is known to have launched, after a pause of 4 ms.
  file.kernel('other', 0, [4200, 9000]).kernel('other', 0, [9010, 9900])
  launched(file, 'add', 2, 300, 5)
  const [device] = analyse(await placedOf(file)).devices
  expect(device?.totals['between-kernels']?.us ?? 0).toBeLessThan(100)
  expect(device?.totals.unknown?.us).toBeGreaterThan(3000)
})

it('a file that is cut, whose records are not in the order of time, tells nothing of causes', async () => {
  const text = new TextDecoder().decode(
    [1, 2, 3, 4, 5, 6]
      .reduce((file, id) => file.operator('aten::mm', [1000 * id, 1000 * id + 100]), start())
      .call('cudaLaunchKernel', 1, [1000, 1005])
      .kernel('gemm', 1, [1010, 1100])
      .call('cudaLaunchKernel', 2, [2000, 2005])
      .kernel('gemm', 2, [2010, 2100])
      .call('cudaLaunchKernel', 3, [3000, 3005])
      .bytes(),
  )
  const cut = new TextEncoder().encode(text.slice(0, text.lastIndexOf('cudaLaunchKernel')))
  const [diagnosis] = analyse(placeTrace((await opened(cut)).trace)).diagnoses
  expect(diagnosis?.sentence).toMatch(/^The file is cut/)
  expect(diagnosis?.note).toContain('out of time order')
  expect(diagnosis?.findings).toEqual([])
})

it('launches that last as long as their kernels block, though clocks are some µs apart', async () => {
  const file = start()
  for (let id = 1; id <= 30; id += 1)
    file
      .call('cudaLaunchKernel', id, [1000 * id, 1000 * id + 900])
      .kernel('gemm', id, [1000 * id + 10, 1000 * id + 905])
  expect((await diagnosisOf(file)).note).toContain('Launches return only when their kernels have ended')
})

it('memory that is asked for where nothing repeats may be the allocator that fills up', async () => {
  const file = launched(start(), 'gemm', 1, 0, 5)
  for (let id = 2; id < 8; id += 1) {
    file.call('cudaMalloc', 100 + id, [5000 * id, 5000 * id + 4000])
    launched(file, `k${String(id)}`, id, 5000 * id + 4100, 5)
  }
  const { findings } = await diagnosisOf(file)
  const found = findings.find(({ cause }) => cause === 'allocation')
  expect(found?.title).toBe('Device memory is allocated')
  expect(found?.mend).toContain('record after a few warm-up steps')
})
