/**
 * Checks the lesson's point: how many steps of a program are under way before the host has to wait,
 * on a device that completes nothing by itself.
 */
import { beforeEach, expect, it } from 'vitest'
import type { Program } from '../../lab/lab'
import { FakeDevice } from '../../testing/fake-webgpu'
import { stubWebGpu } from '../testing/tiny'

const programs = import.meta.glob<Program>('./programs/*.js', { import: 'default', eager: true })
const STEPS = 6

beforeEach(stubWebGpu)

const idle = () => new Promise<void>((resolve) => setTimeout(resolve, 0))

it.each([
  ['compute-only', 0, STEPS],
  ['upload-only', 3, 3],
  ['serial', 1, 1],
  ['ring', 1, 1],
  ['ring', 2, 2],
  ['ring', 4, 4],
] as const)('%s with %i buffers submits %i times before it waits', async (name, depth, submits) => {
  const fake = new FakeDevice({ autoComplete: false })
  const buffer = () => fake.createBuffer({ size: 16, usage: GPUBufferUsage.COPY_DST })
  const staging = Array.from({ length: depth }, buffer)
  const mapped = staging.map((each) => each.mapAsync(GPUMapMode.WRITE))
  fake.complete()
  await Promise.all(mapped)
  const pass = {
    encode: (encoder: ReturnType<FakeDevice['createCommandEncoder']>) => encoder.beginComputePass().end(),
  }
  const input = {
    staging,
    onDevice: [buffer(), buffer()],
    bytes: 16,
    steps: STEPS,
    times: 2,
    batch: () => new Float32Array(4),
    arrived: Array.from({ length: STEPS }, () => pass),
    matmul: pass,
    matmuls: [pass, pass],
  }
  const lab = {
    *steps(count: number) {
      for (let step = 0; step < count; step += 1) yield step
    },
    compute: <T>(_label: string, _flops: number, body: () => Promise<T>) => body(),
  }
  let isOver = false
  // The fake has the members that the programs use.
  const ended = programs[`./programs/${name}.js`]?.({
    device: fake as unknown as GPUDevice,
    lab,
    input,
  }).then(() => (isOver = true))
  await idle()
  expect(fake.log.filter((line) => line.startsWith('submit'))).toHaveLength(submits)
  expect(isOver).toBe(false)
  for (let look = 0; look < 4 * STEPS; look += 1) {
    fake.complete()
    await idle()
  }
  await ended
  expect(fake.uncaptured).toEqual([])
  expect(isOver).toBe(true)
})
