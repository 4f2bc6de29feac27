import fc from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fmaPeakKernel } from './calibrate/fma-peak'
import { scatterKernel } from './calibrate/scatter'
import { spinKernel } from './calibrate/spin'
import { streamCopyKernel } from './calibrate/stream-copy'
import { tickKernel } from './calibrate/tick'
import { findMatmul, matmulKernels, type MatmulKernel, type MatmulShape } from './catalog'
import { chainKernel } from './data/chain'
import { fillKernel } from './data/fill'
import { gatherKernel } from './data/gather'
import { lossKernel } from './data/loss'
import { randomKernel } from './data/random'
import { sumKernel } from './data/sum'
import { ceilDivide, kernelCall, packUniforms, type Kernel, joinSource } from './kernel'
import { readOverrides, readUniforms, workgroupBytes, workgroupThreads } from './testing/read-wgsl'
import { forAll, forAllOf } from '../../testing/for-all'

/** Capabilities that every device offers. */
const LEAST = { threads: 256, storageBytes: 16384 }

/** A kernel with a shape, its type forgotten: all that the engine sees. */
interface Case {
  readonly name: string
  readonly call: ReturnType<typeof kernelCall>
  /** Expected contents of the uniform block, by the names in the WGSL. */
  readonly uniforms: Readonly<Record<string, number>>
}
const makeCase = <Shape>(kernel: Kernel<Shape>, shape: Shape, uniforms: Record<string, number>): Case => ({
  name: kernel.label,
  call: kernelCall(kernel, shape),
  uniforms,
})

const shape: MatmulShape = { m: 3, n: 5, k: 7, alpha: -0.75, accumulate: true }
const cases: readonly Case[] = [
  ...matmulKernels.map((kernel) => makeCase(kernel, shape, { m: 3, n: 5, k: 7, alpha: -0.75 })),
  // Whose rows begin at vectors of four: kernels that take those have another module for them.
  ...matmulKernels.map((kernel) =>
    makeCase(kernel, { ...shape, n: 8, k: 12 }, { m: 3, n: 8, k: 12, alpha: -0.75 }),
  ),
  makeCase(chainKernel, { wordCount: 100, mask: 4294967295, factor: 3 }, { mask: 4294967295, factor: 3 }),
  makeCase(fillKernel, { count: 1000, seed: 4294967295 }, { count: 1000, seed: 4294967295 }),
  makeCase(gatherKernel, { wordCount: 9, seed: 8, outOffset: 7 }, { word_count: 9, seed: 8, out_offset: 7 }),
  makeCase(lossKernel, { steps: 64 }, { step_count: 64 }),
  makeCase(randomKernel, { count: 1000, seed: 4294967295 }, { seed: 4294967295, count: 1000 }),
  makeCase(sumKernel, { count: 9, factor: 0.5, parts: 2 }, { count: 9, factor: 0.5 }),
  makeCase(tickKernel, { mark: 5 }, { mark: 5 }),
  makeCase(fmaPeakKernel, { workgroups: 3, iterations: 6 }, { iterations: 6, factor: 1, addend: 1 }),
  makeCase(streamCopyKernel, { count4: 9, addend: 1 }, { count_4: 9, addend: 1 }),
  makeCase(scatterKernel, { workgroups: 1, iterations: 6, words: 64 }, { iterations: 6, mask: 63 }),
  makeCase(spinKernel, { iterations: 6 }, { iterations: 6, factor: 0.75, addend: 0.25 }),
]

describe.each(cases)('$name agrees with its WGSL', ({ name, call, uniforms }) => {
  it('in the file it names', () => {
    const text = readFileSync(`shaders/${name}.wgsl`, 'utf8')
    expect(call.code).toContain(text)
    expect(text.split('\n').slice(0, 3)).toEqual([
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

  it('in the names of constants', () => {
    const overrides = readOverrides(call.code)
    for (const constant of Object.keys(call.constants)) expect(overrides).toContain(constant)
  })

  it('and fits the limits that every device has', () => {
    expect(workgroupThreads(call.code, call.constants)).toBeLessThanOrEqual(LEAST.threads)
    expect(workgroupBytes(call.code, call.constants)).toBeLessThanOrEqual(LEAST.storageBytes)
    expect(Math.max(...call.workgroups)).toBeLessThanOrEqual(65535)
  })
})

it('has a kernel for every WGSL file, or shares it', () => {
  const files = readdirSync('shaders', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.wgsl'),
  )
  const shapes = [shape, { ...shape, n: 8, k: 12 }]
  const tiles = everyTile.flatMap((kernel) =>
    shapes.flatMap((one) => {
      const call = kernelCall(kernel.forShape(one), one)
      return [call.code, call.second?.call.code ?? '']
    }),
  )
  const joined = [...cases.map(({ call }) => call.code), ...tiles].join('\n')
  for (const file of files) expect(joined, file).toContain(readFileSync(`shaders/${file}`, 'utf8'))
})

const size = fc.integer({ min: 1, max: 3000 })
const anyShape: fc.Arbitrary<MatmulShape> = fc.record({
  m: size,
  n: size,
  k: size,
  alpha: fc.constant(1),
  accumulate: fc.boolean(),
})
const GPU = { isSoftware: false }
/** Every kernel as it comes, and with each of its tiles. */
const everyTile: readonly MatmulKernel[] = matmulKernels.flatMap((kernel) => [
  kernel,
  ...kernel.tiles.map((tile) => kernel.withTile(tile)),
])

describe.each(everyTile)('$label', (kernel) => {
  it('covers C with workgroups, and with none to spare', () => {
    forAll(anyShape, (one) => {
      const { rows, columns } = kernel.tileFor(one)
      const [x, y, z] = kernel.workgroups(one)
      // The naive kernel's rows lie in x.
      const [across, down] = kernel.id === 'naive' ? [y, x] : [x, y]
      expect(across * columns).toBeGreaterThanOrEqual(one.n)
      expect((across - 1) * columns).toBeLessThan(one.n)
      expect(down * rows).toBeGreaterThanOrEqual(one.m)
      expect((down - 1) * rows).toBeLessThan(one.m)
      expect(z).toBe(kernel.tileFor(one).parts ?? 1)
      expect(Math.max(x, y, z)).toBeLessThanOrEqual(65535)
    })
  })

  it('has as many threads and as much workgroup memory as its tile says, in WGSL', () => {
    forAllOf(20)(anyShape, (one) => {
      const tile = kernel.tileFor(one)
      const { code, constants } = kernelCall(kernel, one)
      expect(workgroupThreads(code, constants)).toBe(tile.threads)
      expect(workgroupBytes(code, constants)).toBe(tile.storageBytes)
    })
  })

  it('counts work and traffic of the result, not of the padding', () => {
    expect(kernel.flops({ m: 2, n: 3, k: 5, alpha: 1, accumulate: false })).toBe(60)
    expect(kernel.bytes({ m: 2, n: 3, k: 5, alpha: 1, accumulate: false })).toBe(4 * (10 + 15 + 6))
    expect(kernel.bytes({ m: 2, n: 3, k: 5, alpha: 1, accumulate: true })).toBe(4 * (10 + 15 + 12))
  })

  it('turns accumulation into a constant', () => {
    for (const accumulate of [true, false]) {
      const { constants, second } = kernelCall(kernel, { ...shape, accumulate })
      // A grid that cuts k needs a dispatch that adds the parts, and only that one accumulates.
      expect((second?.call.constants ?? constants)['ACCUMULATE']).toBe(Number(accumulate))
      if (second) expect(constants['ACCUMULATE']).toBe(undefined)
    }
  })
})

const takesRows = everyTile.filter((kernel) => 'EDGES' in kernel.constants({ ...shape, n: 8, k: 12 }))
const asksForShape = everyTile
  .filter(({ source }) => typeof source === 'function')
  .filter((kernel) => !takesRows.includes(kernel))

describe.each(takesRows)('rows in vectors of four: $label', (kernel) => {
  it('are taken exactly where every row begins at one', () => {
    forAll(anyShape, (one) => {
      const { code } = kernelCall(kernel, one)
      expect(code.includes('a: array<vec4f>')).toBe(one.n % 4 === 0 && one.k % 4 === 0)
      expect(code.includes('a: array<f32>')).toBe(one.n % 4 !== 0 || one.k % 4 !== 0)
    })
  })

  it('are tested at edges exactly where whole tiles do not make up every matrix', () => {
    forAll(anyShape, fc.boolean(), (any, aligned) => {
      const { rows, columns, depth } = kernel.tileFor(any)
      const one = aligned
        ? { ...any, m: (any.m % 4) * rows + rows, n: (any.n % 4) * columns + columns, k: depth * 3 }
        : any
      const tile = kernel.tileFor(one)
      const [rowsOf, columnsOf, depthOf] = tile.granule ?? [tile.rows, tile.columns, tile.depth]
      const whole = one.m % rowsOf === 0 && one.n % columnsOf === 0 && one.k % depthOf === 0
      const four = one.n % 4 === 0 && one.k % 4 === 0
      expect(kernel.constants(one)['EDGES']).toBe(four ? Number(!whole) : undefined)
    })
  })
})

describe.each(asksForShape)('the shape of $label', (kernel) => {
  const isFours = (code: string, name: string) => code.includes(`${name}: array<vec4f>;`)

  it('decides how A is read by k, and B and C by n', () => {
    forAll(anyShape, (one) => {
      const { code } = kernelCall(kernel, one)
      expect(isFours(code, 'a')).toBe(one.k % 4 === 0)
      expect([isFours(code, 'b'), isFours(code, 'c')]).toEqual([one.n % 4 === 0, one.n % 4 === 0])
    })
  })

  it('is constant in a pipeline of its own alone', () => {
    forAll(anyShape, anyShape, (one, other) => {
      const own = kernel.forShape(one)
      const { m: M, n: N, k: K } = one
      expect(own.constants(one)).toEqual({ ...kernel.constants(one), M, N, K })
      expect(readOverrides(kernelCall(own, one).code).includes('K')).toBe(true)
      fc.pre(JSON.stringify([one.m, one.n, one.k]) !== JSON.stringify([other.m, other.n, other.k]))
      expect(kernelCall(own, other)).toEqual(kernelCall(kernel, other))
    })
  })
})

describe('tiles', () => {
  it('have names of their own within a kernel, and go by them', () => {
    for (const kernel of matmulKernels) {
      expect(new Set(kernel.tiles.map(({ name }) => name)).size).toBe(kernel.tiles.length)
      for (const tile of kernel.tiles)
        expect(kernel.withTile(tile).label).toBe(`${kernel.label} ${tile.name}`)
    }
  })

  it('of a kernel without a choice made are among its tiles, and within what every device has', () => {
    forAll(fc.constantFrom(...matmulKernels), anyShape, (kernel, one) => {
      expect(kernel.tiles).toContain(kernel.tileFor(one))
      const { threads, storageBytes } = kernel.tileFor(one)
      expect(threads).toBeLessThanOrEqual(LEAST.threads)
      expect(storageBytes).toBeLessThanOrEqual(LEAST.storageBytes)
    })
  })

  it('of a kernel on a software adapter are small enough to be compiled soon, if it has one for that', () => {
    const named = (isSoftware: boolean) => findMatmul('vectorised', { isSoftware }).tileFor(shape).name
    expect([named(true), named(false)]).toEqual(['32×16×4', '64×64×16'])
    const [chosen, other] = findMatmul('vectorised', { isSoftware: true }).tiles
    if (!other) throw new Error('it has more than one')
    expect(chosen).toBe(findMatmul('vectorised', { isSoftware: true }).tileFor(shape))
    expect(matmulKernels[4]?.withTile(other).on({ isSoftware: true }).tileFor(shape)).toBe(other)
  })

  it.each(['vectorised'])('of %s give each thread whole shares', (id) => {
    for (const { constants } of findMatmul(id, GPU).tiles) {
      const { THREADS_M = 0, THREADS_N = 0, TILE_K = 0 } = constants
      expect([TILE_K % THREADS_M, TILE_K % THREADS_N]).toEqual([0, 0])
    }
  })
})

it('names unknown kernels and known ones', () => {
  expect(() => findMatmul('fast', GPU)).toThrow(
    /'fast'.*naive, coalesced, tiled, register-blocked, vectorised/,
  )
})

it('fills any count without exceeding the grid, and rounds up', () => {
  expect(fillKernel.workgroups({ count: 1, seed: 0 })).toEqual([1, 1, 1])
  expect(fillKernel.workgroups({ count: 257, seed: 0 })).toEqual([2, 1, 1])
  expect(fillKernel.workgroups({ count: 2 ** 30, seed: 0 })).toEqual([4096, 1, 1])
  expect(ceilDivide(0, 16)).toBe(0)
})

it('packs uniforms little-endian, in blocks of 16 bytes', () => {
  const packed = new DataView(
    packUniforms(['u32', 1], ['f32', 0.5], ['u32', 2 ** 32 - 1], ['f32', -2], ['u32', 9]),
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

const line = fc.stringMatching(/^[a-z ]{0,6}$/)
const files = fc.array(
  fc.record({
    file: fc.stringMatching(/^[a-z]{1,4}$/),
    lines: fc.array(line, { minLength: 1, maxLength: 5 }),
  }),
  { minLength: 1, maxLength: 4 },
)

it('finds file and line of every line of the joined text', () => {
  forAll(files, fc.boolean(), (parts, ends) => {
    const { code, locate } = joinSource(
      parts.map(({ file, lines }) => ({ file, text: lines.join('\n') + (ends ? '\n' : '') })),
    )
    const joined = code.split('\n')
    let at = 0
    for (const { file, lines } of parts) {
      // A text that ends in an empty line and has no final newline is that newline: the line is
      // not a line.
      const kept = !ends && lines.length > 1 && lines.at(-1) === '' ? lines.slice(0, -1) : lines
      kept.forEach((text, index) => {
        expect(joined[at]).toBe(text)
        expect(locate(at + 1)).toBe(`${file}:${String(index + 1)}`)
        at += 1
      })
    }
  })
})

it('takes Windows line ends, and names the kernel where the compiler knows no line', () => {
  const { code, locate } = joinSource([
    { file: 'lib', text: 'a\r\nb\r\n' },
    { file: 'kernel', text: 'c\n' },
  ])
  expect(code).toBe('a\nb\nc\n')
  expect(locate(3)).toBe('kernel:1')
  expect(locate(0)).toBe('kernel')
})
