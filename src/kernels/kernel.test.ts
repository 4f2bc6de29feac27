import fc from 'fast-check'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { spinKernel } from './calibrate/spin'
import { tickKernel } from './calibrate/tick'
import { findMatmul, matmulKernels, type MatmulShape } from './catalog'
import { fillKernel } from './data/fill'
import { gatherKernel } from './data/gather'
import { ceilDivide, exceededLimit, kernelCall, packUniforms, type Kernel, type Workgroups } from './kernel'
import { readBindings, readEntryPoints, readOverrides, readUniforms } from './testing/read-wgsl'

const DEFAULTS = {
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupStorageSize: 16384,
  maxComputeWorkgroupsPerDimension: 65535,
}

/** A kernel with a shape, its type forgotten: all that the engine sees. */
interface Case {
  readonly name: string
  readonly kernel: Omit<Kernel<never>, 'label' | 'id'> & { readonly label: string }
  readonly call: ReturnType<typeof kernelCall>
  /** What the uniform block must hold, by its names in the WGSL. */
  readonly uniforms: Readonly<Record<string, number>>
}
const makeCase = <Shape>(kernel: Kernel<Shape>, shape: Shape, uniforms: Record<string, number>): Case => ({
  name: kernel.label,
  kernel: kernel,
  call: kernelCall(kernel, shape),
  uniforms,
})

const shape: MatmulShape = { m: 3, n: 5, k: 7, alpha: -0.75, accumulate: true }
const cases: readonly Case[] = [
  ...matmulKernels.map((kernel) => makeCase(kernel, shape, { m: 3, n: 5, k: 7, alpha: -0.75 })),
  makeCase(fillKernel, { count: 1000, seed: 4294967295 }, { count: 1000, seed: 4294967295 }),
  makeCase(gatherKernel, { wordCount: 9, seed: 8, outOffset: 7 }, { word_count: 9, seed: 8, out_offset: 7 }),
  makeCase(tickKernel, { mark: 5 }, { mark: 5 }),
  makeCase(spinKernel, { iterations: 6 }, { iterations: 6, factor: 0.75, addend: 0.25 }),
]

describe.each(cases)('$name agrees with its WGSL', ({ kernel, call, uniforms }) => {
  it('in the file it names', () => {
    expect(call.code).toContain(readFileSync(kernel.file, 'utf8'))
    expect(readFileSync(kernel.file, 'utf8').split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^\/\/ /),
      expect.stringMatching(/^\/\/ /),
      expect.stringMatching(/^\/\/ Cost: /),
    ])
  })

  it('in names, types and offsets of the uniforms', () => {
    const members = readUniforms(call.code)
    expect(members.map(({ name }) => name).toSorted()).toEqual(Object.keys(uniforms).toSorted())
    const view = new DataView(call.uniforms)
    for (const { name, type, offset } of members) {
      expect(['u32', 'f32']).toContain(type)
      const value = type === 'f32' ? view.getFloat32(offset, true) : view.getUint32(offset, true)
      expect(value, name).toBe(uniforms[name])
    }
    expect(call.uniforms.byteLength % 16).toBe(0)
  })

  it('in the order of the bindings', () => {
    expect(readBindings(call.code)).toEqual(kernel.bindings)
  })

  it('in the names of constants and entry point', () => {
    const overrides = readOverrides(call.code)
    for (const name of Object.keys(call.constants)) expect(overrides).toContain(name)
    expect(readEntryPoints(call.code)).toContain(call.entryPoint)
  })

  it('and fits the limits that every device has', () => {
    expect(kernel.supports(DEFAULTS)).toBeNull()
    expect(kernel.supports({})).toBeNull()
  })
})

it('has a kernel for every WGSL file, or shares it', () => {
  const files = readdirSync('shaders', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.wgsl'),
  )
  const joined = cases.map(({ call }) => call.code).join('\n')
  for (const file of files) expect(joined, file).toContain(readFileSync(`shaders/${file}`, 'utf8'))
  for (const { kernel } of cases) expect(existsSync(kernel.file)).toBe(true)
})

const size = fc.integer({ min: 1, max: 3000 })
const anyShape: fc.Arbitrary<MatmulShape> = fc.record({
  m: size,
  n: size,
  k: size,
  alpha: fc.constant(1),
  accumulate: fc.boolean(),
})
/** Entries of C that one workgroup makes, [columns, rows], from the constants that the WGSL is given. */
const TILE_OF: Readonly<
  Record<string, (constants: Readonly<Record<string, number>>) => readonly (number | undefined)[]>
> = {
  naive: (constants) => [constants['WORKGROUP_X'], constants['WORKGROUP_Y']],
  tiled: (constants) => [constants['TILE'], constants['TILE']],
  'register-blocked': ({ THREADS_N = 0, THREADS_M = 0 }) => [8 * THREADS_N, 16 * THREADS_M],
}

describe.each(matmulKernels)('$label', (kernel) => {
  it('covers C with workgroups, and with none to spare', () => {
    fc.assert(
      fc.property(anyShape, (one) => {
        const [width = 0, height = 0] = TILE_OF[kernel.id]?.(kernel.constants(one)) ?? []
        const [x, y, z] = kernel.workgroups(one)
        expect(x * width).toBeGreaterThanOrEqual(one.n)
        expect((x - 1) * width).toBeLessThan(one.n)
        expect(y * height).toBeGreaterThanOrEqual(one.m)
        expect((y - 1) * height).toBeLessThan(one.m)
        expect(z).toBe(1)
        expect(kernel.supports(DEFAULTS, one)).toBeNull()
      }),
    )
  })

  it('counts work and traffic of the result, not of the padding', () => {
    expect(kernel.flops({ m: 2, n: 3, k: 5, alpha: 1, accumulate: false })).toBe(60)
    expect(kernel.bytes({ m: 2, n: 3, k: 5, alpha: 1, accumulate: false })).toBe(4 * (10 + 15 + 6))
    expect(kernel.bytes({ m: 2, n: 3, k: 5, alpha: 1, accumulate: true })).toBe(4 * (10 + 15 + 12))
  })

  it('refuses a grid beyond the limit, with both numbers', () => {
    const reason = kernel.supports(DEFAULTS, { m: 2 ** 24, n: 1, k: 1, alpha: 1, accumulate: false })
    expect(reason).toMatch(/maxComputeWorkgroupsPerDimension \d+, the device offers 65535/)
  })

  it('turns accumulation into a constant', () => {
    expect(kernel.constants({ ...shape, accumulate: true })['ACCUMULATE']).toBe(1)
    expect(kernel.constants({ ...shape, accumulate: false })['ACCUMULATE']).toBe(0)
  })
})

describe('matmul/register-blocked', () => {
  const kernel = findMatmul('register-blocked')

  it('leaves the tests at edges out exactly where whole tiles make up every matrix', () => {
    fc.assert(
      fc.property(anyShape, (one) => {
        const { THREADS_M = 0, THREADS_N = 0, TILE_K = 0, EDGES } = kernel.constants(one)
        const whole = one.m % (16 * THREADS_M) === 0 && one.n % (8 * THREADS_N) === 0 && one.k % TILE_K === 0
        expect(EDGES).toBe(whole ? 0 : 1)
      }),
    )
    for (const n of [64, 1024, 2048])
      expect(kernel.constants({ m: n, n, k: n, alpha: 1, accumulate: true })['EDGES']).toBe(0)
    for (const cut of ['m', 'n', 'k'])
      expect(
        kernel.constants({ m: 128, n: 128, k: 128, alpha: 1, accumulate: true, [cut]: 124 })['EDGES'],
      ).toBe(1)
  })

  it('reads vectors of four only where every row begins at one', () => {
    fc.assert(
      fc.property(anyShape, (one) => {
        expect(kernel.entryPoint(one)).toBe(one.n % 4 === 0 && one.k % 4 === 0 ? 'main' : 'main_any')
      }),
    )
  })

  it('gives each thread whole shares of the tiles, within the default limits', () => {
    fc.assert(
      fc.property(anyShape, (one) => {
        const { THREADS_M = 0, THREADS_N = 0, TILE_K = 0 } = kernel.constants(one)
        expect(TILE_K % THREADS_M).toBe(0)
        expect(TILE_K % THREADS_N).toBe(0)
        expect(THREADS_M * THREADS_N).toBeLessThanOrEqual(256)
        expect((16 * THREADS_M + 8 * THREADS_N) * TILE_K * 4).toBeLessThanOrEqual(16384)
      }),
    )
  })
})

describe('the limits', () => {
  const needs = { invocations: 256, storageBytes: 16384, workgroups: [65535, 1, 1] as Workgroups }

  it('are refused by name, one above', () => {
    expect(exceededLimit(DEFAULTS, needs)).toBeNull()
    expect(exceededLimit(DEFAULTS, { ...needs, invocations: 257 })).toContain(
      'maxComputeInvocationsPerWorkgroup 257',
    )
    expect(exceededLimit(DEFAULTS, { ...needs, storageBytes: 16388 })).toContain(
      'maxComputeWorkgroupStorageSize 16388',
    )
    expect(exceededLimit(DEFAULTS, { ...needs, workgroups: [1, 65536, 1] })).toContain(
      '65536, the device offers 65535',
    )
  })

  it('of compatibility mode (128 invocations) stop those that need more', () => {
    const small = { ...DEFAULTS, maxComputeInvocationsPerWorkgroup: 128 }
    expect(findMatmul('tiled').supports(small)).toContain('256')
    expect(findMatmul('register-blocked').supports(small)).toBeNull()
  })
})

it('names unknown kernels and known ones', () => {
  expect(() => findMatmul('fast')).toThrow(/'fast'.*naive, tiled, register-blocked/)
})

it('fills any count without exceeding the grid, and rounds up', () => {
  expect(fillKernel.workgroups({ count: 1, seed: 0 })).toEqual([1, 1, 1])
  expect(fillKernel.workgroups({ count: 257, seed: 0 })).toEqual([2, 1, 1])
  expect(fillKernel.workgroups({ count: 2 ** 30, seed: 0 })).toEqual([4096, 1, 1])
  expect(ceilDivide(0, 16)).toBe(0)
})

it('packs uniforms little-endian, in blocks of 16 bytes', () => {
  const packed = new DataView(
    packUniforms([
      ['u32', 1],
      ['f32', 0.5],
      ['u32', 2 ** 32 - 1],
      ['f32', -2],
      ['u32', 9],
    ]),
  )
  expect(packed.byteLength).toBe(32)
  expect([packed.getUint32(0, true), packed.getFloat32(4, true), packed.getUint32(8, true)]).toEqual([
    1,
    0.5,
    2 ** 32 - 1,
  ])
  expect([packed.getFloat32(12, true), packed.getUint32(16, true), packed.getUint32(20, true)]).toEqual([
    -2, 9, 0,
  ])
})
