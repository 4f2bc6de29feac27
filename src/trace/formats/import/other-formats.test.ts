// What is not read is refused in one sentence that names it, and says which file is read instead.
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { opened, refused } from './testing/read-back'

const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? Array.from(part, (letter) => letter.charCodeAt(0)) : part,
    ),
  )
const SQLITE = 'SQLite format 3\0'
const TAR = bytes('x'.repeat(257), 'ustar')

describe('formats that are not read', () => {
  it.each([
    ['Perfetto', bytes([0x0a, 0x10, 0x32, 0x0e, 0x40, 0x00, 0x01]), /\.pftrace.*traceconv json/],
    ['XLA', bytes([0x0a, 0x9d, 0xb2, 0x08, 0x12, 0x0e], '/host:metadata'), /xplane\.pb.*\.trace\.json\.gz/],
    ['Nsight’s export', bytes(SQLITE, 'CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL'), /Nsight.*torch\.profiler/],
    ['rocprofv3’s database', bytes(SQLITE, 'CREATE TABLE rocpd_kernel'), /rocprofv3.*--output-format/],
    ['any database', bytes(SQLITE, [0, 1, 2]), /SQLite.*torch\.profiler/],
    ['Nsight’s report', bytes([0x4e, 0x00, 0x01, 0x02, 0xff]), /\.nsys-rep.*torch\.profiler/],
    ['a snapshot of memory', bytes([0x80, 0x04, 0x95, 0x10]), /pickle.*memory_viz/],
    ['an older pickle', bytes([0x80, 0x02, 0x7d]), /pickle/],
    ['a snapshot as JSON', bytes('{"segments":[],"device_traces":[]}'), /snapshot of memory/],
    ['a memory timeline', bytes('[[-1, 1, 512, 7], [-1, 1, 512, 7]]'), /memory timeline/],
    ['rocprofv3', bytes('{"rocprofiler-sdk-tool":[{}]}'), /rocprofv3’s JSON.*export_chrome_trace/],
    ['an execution trace', bytes('{"schema":"1.0.1","nodes":[{}]}'), /execution trace.*export_chrome_trace/],
    ['zstd', bytes([0x28, 0xb5, 0x2f, 0xfd, 0x00]), /zstd.*unzstd/],
    ['xz', bytes([0xfd], '7zXZ', [0]), /xz.*unxz/],
    ['bzip2', bytes('BZh9'), /bzip2.*bunzip2/],
    ['ZIP', bytes('PK', [3, 4]), /ZIP archive: unpack/],
    ['tar', TAR, /tar archive: unpack/],
    ['a page', bytes('<!DOCTYPE html><p>'), /HTML.*export_chrome_trace/],
  ])('%s', async (_, file, sentence) => {
    for (const each of [file, new Uint8Array(gzipSync(file))]) {
      const message = await refused(each)
      expect(message).toMatch(/^This is /)
      expect(message).toMatch(sentence)
    }
  })
})

it('a profile of MPS says that it holds no work of the GPU, and what records it', async () => {
  const event = (name: string) => ({ ph: 'X', cat: 'cpu_op', name, pid: 1, tid: 1, ts: 1, dur: 2 })
  const file = (...names: readonly string[]) =>
    JSON.stringify({ schemaVersion: 1, traceEvents: names.map(event) })
  const { notes } = await opened(file('aten::mm', 'aten::_mps_convolution'))
  expect(notes).toEqual([expect.stringMatching(/MPS.*no GPU work.*torch\.mps\.profiler/) as string])
  expect((await opened(file('aten::mm'))).notes).toEqual([])
})
