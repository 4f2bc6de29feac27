/**
 * Collectives of files: told from compute by what the file says, kept with all of it through the
 * lab's own formats.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { collectiveAt, type Collective } from '../../collectives'
import { decodeRun, encodeRun } from '../../codec'
import { SPAN_KINDS, type Trace } from '../../schema'
import { KinetoFile } from './testing/kineto-file'
import { opened, rows } from './testing/read-back'
import { traceEventText } from '../testing/validate-trace-event'
import { median } from '../../../base/stats'

const recorded = async (rank: number) =>
  opened(readFileSync(`public/recordings/torch-nccl-rank${String(rank)}.json.gz`))

const collectivesIn = (trace: Trace): readonly Collective[] =>
  Array.from({ length: trace.collectives.length }, (_, row) => collectiveAt(trace, row))
/** With the span's own columns, and without the numbers of rows and spans. */
const plain = (trace: Trace) =>
  collectivesIn(trace).map(({ row: _row, span, ...rest }) => ({
    ...rest,
    kind: SPAN_KINDS[trace.spans.kind[span] ?? -1],
    name: trace.strings[trace.spans.name[span] ?? -1],
    bytes: trace.spans.bytes[span],
    durationNs: Math.round((trace.spans.end[span] ?? 0) - (trace.spans.start[span] ?? 0)),
  }))

describe('the recorded ranks', () => {
  it('have every collective of the script, with group, ranks, type and size', async () => {
    const { trace } = await recorded(0)
    expect(trace.info.distributed).toEqual({ rank: 0, worldSize: 4, backend: 'nccl' })
    const all = plain(trace)
    expect(all.map(({ operation }) => operation)).toEqual(
      Array.from({ length: 4 }, () => ['allreduce', 'broadcast', 'gather', 'send']).flat(),
    )
    const message = { group: '0', ranks: '[0, 1, 2, 3]', groupSize: 4, dtype: 'Float', kind: 'collective' }
    for (const each of all) expect(each).toMatchObject(message)
    const [allreduce, , gather, send] = all
    expect(allreduce).toMatchObject({ bytes: 128 * 2 ** 20, elementsIn: 2 ** 25, elementsOut: 2 ** 25 })
    expect(gather).toMatchObject({ bytes: 256 * 2 ** 20, elementsIn: 2 ** 24, elementsOut: 2 ** 26 })
    expect(send).toMatchObject({ bytes: 64 * 2 ** 20, peer: 1 })
    expect(plain((await recorded(1)).trace)[3]).toMatchObject({ operation: 'recv', peer: 0 })
  })

  it('keep the kernels that compute, and the copy within a gather, apart from them', async () => {
    const { trace } = await recorded(0)
    const device = rows(trace).filter(({ laneKind }) => laneKind === 'device')
    const names = (kind: string) => device.filter((row) => row.kind === kind).map(({ name = '' }) => name)
    expect(names('compute')).toHaveLength(4)
    expect(names('compute').every((name) => name.includes('gemm'))).toBe(true)
    expect(names('transfer')).toEqual(Array(4).fill('Memcpy DtoD (Device -> Device)'))
    expect(names('collective').every((name) => name.startsWith('ncclDevKernel'))).toBe(true)
  })
})

describe('what is known of a collective', () => {
  it.each(['a saved run', 'a Trace Event file'])('comes back from %s', async (as) => {
    const { trace } = await recorded(0)
    const back = async (): Promise<Trace> => {
      if (as === 'a Trace Event file') return (await opened(traceEventText(trace))).trace
      const run = await decodeRun(encodeRun({ trace, report: null }))
      if (!run.ok) throw new Error(run.error.message)
      return run.value.trace
    }
    const again = await back()
    expect(plain(again)).toHaveLength(16)
    // A Trace Event file is written lane by lane.
    const sorted = (of: Trace) =>
      plain(of)
        .map((each) => JSON.stringify(each))
        .sort()
    expect(sorted(again)).toEqual(sorted(trace))
    expect(again.info.distributed).toEqual(trace.info.distributed)
    const groupsOf = ({ lanes }: Trace) =>
      new Set(lanes.filter(({ kind }) => kind === 'device').map(({ group }) => group))
    expect(groupsOf(again)).toEqual(groupsOf(trace))
  })

  it('is the kernel’s name alone in older files, of whichever release', async () => {
    const names = [
      ['ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)', 'allreduce'],
      ['void vllm::cross_device_reduce_1stage<__nv_bfloat16, 4>(vllm::RankData*)', 'allreduce'],
      ['ncclDevKernel_ReduceScatter_Sum_f32_RING_LL(ncclDevComm*, unsigned long)', 'reduce_scatter'],
      ['ncclAllGatherRingLLKernel_copy_i8(ncclColl)', 'allgather'],
      ['void ncclKernel_Broadcast_RING_LL_Sum_int8_t(ncclDevComm*)', 'broadcast'],
      ['ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)', 'sendrecv'],
      ['ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)', 'unknown'],
    ] as const
    const kineto = new KinetoFile().kernel('my_ncclKernel_lookalike', 99, [0, 5])
    for (const [index, [name]] of names.entries())
      kineto.kernel(name, index + 1, [10 * (index + 1), 10 * (index + 1) + 5])
    const { trace } = await opened(kineto.bytes())
    expect(plain(trace).map(({ name, operation }) => [name, operation])).toEqual(names)
    for (const each of plain(trace))
      expect(each).toMatchObject({ bytes: Number.NaN, group: undefined, groupSize: undefined })
    expect(rows(trace)[0]?.kind).toBe('compute')
  })

  it('is also what the operator says that launched it, and any kernel may be one', async () => {
    const known = {
      'Collective name': '_allgather_base',
      'Process Group Name': 'tp',
      'Process Group Ranks': [0, 2],
      'In msg nelems': 512,
      'Out msg nelems': 1024,
      dtype: 'BFloat16',
      'Group size': 2,
      Seq: 17,
    }
    const kineto = new KinetoFile()
    kineto.add({
      ph: 'X',
      cat: 'cpu_op',
      name: 'record_param_comms',
      pid: 1,
      tid: 1,
      ts: 1_700_000_000_000_000,
      dur: 9,
      args: { 'External id': 41, ...known },
    })
    kineto.collective('ncclDevKernel_AllGather_RING_LL', 1, [10, 20], { 'External id': 41 })
    kineto.collective('multimem_all_gather_kernel', 2, [30, 40], { 'Collective name': 'allgather' })
    const { trace } = await opened(kineto.bytes())
    const [joined, custom] = plain(trace)
    expect(joined).toMatchObject({
      operation: '_allgather_base',
      group: 'tp',
      ranks: '[0,2]',
      groupSize: 2,
      dtype: 'BFloat16',
      sequence: 17,
      elementsIn: 512,
      elementsOut: 1024,
      bytes: 2048,
    })
    expect(custom).toMatchObject({ operation: 'allgather', name: 'multimem_all_gather_kernel' })
  })

  it('is a range of the host where Gloo is the backend; NCCL’s ranges only enqueue, and are none', async () => {
    const { trace } = await opened(
      new KinetoFile()
        .operator('gloo:all_reduce', [0, 10], 'user_annotation')
        .operator('nccl:all_reduce', [20, 30], 'user_annotation')
        .bytes(),
    )
    expect(rows(trace).map(({ name, kind, laneKind }) => [name, kind, laneKind])).toEqual([
      ['gloo:all_reduce', 'collective', 'host'],
      ['nccl:all_reduce', 'other', 'host'],
    ])
    expect(plain(trace)).toMatchObject([{ operation: 'all_reduce' }])
  })
})

it.each([{ rank: 4, world_size: 4 }, { rank: -1, world_size: 4 }, { rank: '0', world_size: 4 }, { rank: 0 }])(
  'no rank is read from %o',
  async (distributed) => {
    const { trace } = await opened(new KinetoFile({ distributed }).kernel('a', 1, [0, 1]).bytes())
    expect(trace.info.distributed).toBeUndefined()
  },
)

const STEPS = 5
const MATRICES = 4

async function rankOf(variant: string, rank: number) {
  const file = `public/recordings/cpu/torch-gloo-cpu-${variant}-rank${String(rank)}.json.gz`
  const { trace, format } = await opened(readFileSync(file))
  const all = rows(trace).map((row) => ({
    ...row,
    name: row.name ?? '',
    // One host: both ranks are on its clock, each file from a zero of its own.
    startMs: trace.clocks[0] ? trace.clocks[0].originMs + row.start / 1e6 : Number.NaN,
  }))
  return { format, all, calls: all.filter(({ name }) => name === 'c10d::allreduce_') }
}

async function latenessMs(variant: string): Promise<readonly number[]> {
  const [first, second] = [await rankOf(variant, 0), await rankOf(variant, 1)]
  return first.calls.map(({ startMs }, index) => (second.calls[index]?.startMs ?? Number.NaN) - startMs)
}

describe.each(['late-rank', 'in-step'])('%s', (variant) => {
  it.each([0, 1])('rank %i has its steps, and as many collectives in each', async (rank) => {
    const { format, all, calls } = await rankOf(variant, rank)
    expect(format).toBe('torch-profiler')
    expect(all.filter(({ kind }) => kind === 'window')).toHaveLength(STEPS)
    expect(all.filter(({ name }) => name === 'gloo:all_reduce')).toHaveLength(STEPS * MATRICES)
    const steps = [...new Set(calls.map(({ step }) => step))]
    expect(steps.every((step) => step !== undefined && step >= 0)).toBe(true)
    expect(steps.map((step) => calls.filter((call) => call.step === step).length)).toEqual(
      Array<number>(STEPS).fill(MATRICES),
    )
  })
})

describe('the late rank', () => {
  it('comes last to every all-reduce, after the line at fault', async () => {
    const late = await latenessMs('late-rank')
    expect(late.every((ms) => ms > 0)).toBe(true)
    const shrinks = (rank: number) =>
      rankOf('late-rank', rank).then(({ all }) => all.filter(({ name }) => name.endsWith(' shrink')))
    expect(await shrinks(0)).toEqual([])
    const own = await shrinks(1)
    expect(own).toHaveLength(STEPS)
    // Most of what it does longer is what the other waits.
    expect(median(late)).toBeGreaterThan(median(own.map(({ start, end }) => (end - start) / 1e6)) / 2)
  })

  it('is none of the two that are in step', async () => {
    const last = (await latenessMs('in-step')).filter((ms) => ms > 0).length
    expect(last).toBeGreaterThan(0.4 * STEPS * MATRICES)
    expect(last).toBeLessThan(0.6 * STEPS * MATRICES)
  })
})
