import { describe, expect, it } from 'vitest'
import { KinetoFile } from '../trace/formats/import/testing/kineto-file'
import { opened } from '../trace/formats/import/testing/read-back'
import { placeTrace } from '../trace/place'
import { summariseDevices, type DeviceSummary } from './devices'

async function only(kineto: KinetoFile): Promise<DeviceSummary> {
  const [device, ...more] = summariseDevices(placeTrace((await opened(kineto.bytes())).trace))
  if (!device || more.length > 0) throw new Error('not one device')
  return device
}
const causes = ({ gaps }: DeviceSummary) =>
  gaps.map(({ cause, startNs, endNs }) => [cause, Math.round(startNs / 1e3), Math.round(endNs / 1e3)])

describe('devices of torch.profiler files', () => {
  it('are busy for the union of kernels, copies and memsets over all streams', async () => {
    const device = await only(
      new KinetoFile()
        .kernel('a', 1, [0, 10], 7)
        .kernel('b', 2, [5, 20], 13)
        .copy('HtoD (Pinned -> Device)', 3, [18, 30], 6000, 13)
        .copy('HtoD (Pinned -> Device)', 4, [30, 40], 4000, 13)
        .copy('DtoH (Device -> Pageable)', 5, [90, 95], 10, 13)
        .memset(6, [98, 100], 512),
    )
    expect(device).toMatchObject({
      id: 'device 0',
      name: 'Test Device',
      lanes: ['stream 7', 'stream 13'],
      spans: 6,
      busyUs: 47,
      spanUs: 100,
      busyRatio: 0.47,
    })
    expect(device.copies).toEqual([
      { kind: 'HtoD pinned', count: 2, bytes: 10_000, busyUs: 22, gbPerS: 10_000 / 22_000 },
      { kind: 'DtoH pageable', count: 1, bytes: 10, busyUs: 5, gbPerS: 10 / 5000 },
      { kind: 'memset', count: 1, bytes: 512, busyUs: 2, gbPerS: 512 / 2000 },
    ])
    expect(causes(device)).toEqual([
      ['unknown', 40, 90],
      ['unknown', 95, 98],
    ])
  })

  it('were idle because of a wait, of late calls, of launches, of one call’s own work', async () => {
    const device = await only(
      new KinetoFile()
        .call('cudaLaunchKernel', 1, [0, 2])
        .kernel('a', 1, [10, 20])
        .call('cudaDeviceSynchronize', 90, [5, 23])
        .call('cudaLaunchKernel', 2, [40, 42])
        .kernel('waited', 2, [50, 60])
        .operator('python at work', [45, 100])
        .call('cudaLaunchKernel', 3, [80, 82])
        .kernel('late', 3, [90, 100])
        .call('cudaGraphLaunch', 4, [85, 87])
        .kernel('queued', 4, [104, 110])
        .kernel('of the same graph', 4, [112, 115]),
    )
    expect(causes(device)).toEqual([
      ['synchronize', 20, 50],
      ['dispatch', 60, 90],
      ['between-kernels', 100, 104],
      ['between-kernels', 110, 112],
    ])
    expect(device.totals).toEqual({
      synchronize: { count: 1, us: 30 },
      dispatch: { count: 1, us: 30 },
      'between-kernels': { count: 2, us: 6 },
    })
    expect(device.gaps[0]?.evidence).toContain('cudaDeviceSynchronize')
  })

  it('were idle for bytes from pageable memory, and not for another thread’s wait', async () => {
    const device = await only(
      new KinetoFile()
        .call('cudaLaunchKernel', 1, [0, 2])
        .kernel('a', 1, [10, 20])
        .call('cudaMemcpyAsync', 2, [21, 200])
        .copy('HtoD (Pageable -> Device)', 2, [100, 190], 1 << 20)
        .call('cudaStreamSynchronize', 91, [150, 400], 999)
        .call('cudaLaunchKernel', 3, [260, 262])
        .kernel('b', 3, [270, 280]),
    )
    expect(causes(device)).toEqual([
      ['pageable-copies', 20, 100],
      ['pageable-copies', 190, 270],
    ])
  })
})

describe('collectives of a device', () => {
  it('are busy time, and no work, as a copy from the host is none', async () => {
    const device = await only(
      new KinetoFile()
        .kernel('gemm', 1, [0, 10], 7)
        .collective('ncclDevKernel_AllReduce', 2, [5, 30], {}, 13)
        .copy('HtoD (Pinned -> Device)', 3, [28, 34], 10, 7)
        .collective('ncclDevKernel_AllReduce', 4, [50, 100], {}, 13),
    )
    expect(device).toMatchObject({ busyUs: 84, busyRatio: 0.84, spanUs: 100, spans: 4 })
    expect(device).toMatchObject({ workUs: 10, workRatio: 0.1, collectiveUs: 75 })
    expect(device.collectives).toEqual([{ operation: 'allreduce', count: 2, bytes: null, us: 75 }])
    expect(causes(device)).toEqual([['unknown', 34, 50]])
  })

  it('are none where there are none: all that is busy is work', async () => {
    const device = await only(new KinetoFile().kernel('gemm', 1, [0, 10]).kernel('gemm', 2, [30, 40]))
    expect(device).toMatchObject({ workUs: 20, workRatio: 0.5, busyRatio: 0.5, collectives: [] })
    const nothing = await only(new KinetoFile().kernel('gemm', 1, [0, 0]))
    expect(nothing.workRatio).toBeNull()
  })
})
